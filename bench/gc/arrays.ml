(* The twin of bench/gc/arrays in OCaml. *)
let rounds = 6000
let keep = 32
let least = 5000
let row_count = 4

let () =
  let kept = Array.make keep [||] in
  let sum = ref 0 in
  for round = 0 to rounds - 1 do
    let length = least + (round mod 100 * 200) in
    let new_row _ =
      let row = Array.make length 0 in
      let j = ref 0 in
      while !j < length do
        row.(!j) <- round + !j;
        j := !j + 8
      done;
      row
    in
    let rows = Array.init row_count new_row in
    let place = kept.(round mod keep) in
    if place <> [||] then sum := !sum + place.(3).(8);
    kept.(round mod keep) <- rows;
    sum := !sum + length
  done;
  Printf.printf "%d\n" !sum
