import java.util.HashMap;

class CountWords {
    static final int DISTINCT = 50000;
    static long state = 1;

    static int next() {
        state = state * 6364136223846793005L + 1442695040888963407L;
        return (int) (state >>> 33);
    }

    public static void main(String[] arguments) {
        HashMap<String, Integer> table = new HashMap<>();
        String[] words = new String[DISTINCT];
        for (int i = 0; i < DISTINCT; i++) words[i] = "word" + i * 7919L % 100003;
        for (int n = Integer.parseInt(arguments[0]); n > 0; n--) {
            int a = next() % DISTINCT;
            table.merge(words[Math.min(a, next() % DISTINCT)], 1, Integer::sum);
        }
        long sum = 0;
        for (String word : words) sum += (long) table.getOrDefault(word, 0) * word.length();
        System.out.println(table.size() + " " + sum);
    }
}
