(* The twin of bench/gc/texts in OCaml. *)
let lines = 1000000
let keep = 20000

let () =
  let kept = Array.make keep "" in
  let sum = ref 0 in
  for i = 0 to lines - 1 do
    let line =
      "line number " ^ string_of_int i ^ " follows the one whose number is "
      ^ string_of_int (i * 7)
    in
    if i >= keep then sum := !sum + Char.code kept.(i mod keep).[14];
    kept.(i mod keep) <- line;
    sum := !sum + String.length line
  done;
  Printf.printf "%d\n" !sum
