(* The twin of bench/gc/binary_trees in OCaml. *)
type tree = Leaf_less | Tree of tree * tree

let shallowest = 4

let rec make depth =
  if depth = 0 then Tree (Leaf_less, Leaf_less) else Tree (make (depth - 1), make (depth - 1))

let rec count = function
  | Leaf_less -> 0
  | Tree (Leaf_less, _) -> 1
  | Tree (left, right) -> 1 + count left + count right

let () =
  let deepest = if Array.length Sys.argv > 1 then int_of_string Sys.argv.(1) else 18 in
  let total = ref (count (make (deepest + 1))) in
  let kept = make deepest in
  let depth = ref shallowest in
  while !depth <= deepest do
    for _ = 1 to 1 lsl (deepest - !depth + shallowest) do
      total := !total + count (make !depth)
    done;
    depth := !depth + 2
  done;
  Printf.printf "%d\n" (!total + count kept)
