class Sieve {
    static int primes(int n) {
        boolean[] composite = new boolean[n + 1];
        int found = 0;
        for (int i = 2; i <= n; i++) {
            if (composite[i]) continue;
            found++;
            for (int j = i + i; j <= n; j += i) composite[j] = true;
        }
        return found;
    }

    public static void main(String[] arguments) {
        int rounds = Integer.parseInt(arguments[0]);
        long found = 0;
        for (int round = 1; round <= rounds; round++) found += primes(300000 + round);
        System.out.println(found);
    }
}
