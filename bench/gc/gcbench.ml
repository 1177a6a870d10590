(* The twin of bench/gc/gcbench in OCaml. *)
type node = { mutable left : node option; mutable right : node option; i : int; j : int }

let stretch = 20
let long_lived = 18
let array_size = 4000000
let shallowest = 4
let deepest = 18

let new_node () = { left = None; right = None; i = 0; j = 0 }
let nodes_of depth = (1 lsl (depth + 1)) - 1

let rec populate depth node =
  if depth > 0 then begin
    let left = new_node () and right = new_node () in
    node.left <- Some left;
    node.right <- Some right;
    populate (depth - 1) left;
    populate (depth - 1) right
  end

let rec make depth =
  if depth = 0 then new_node ()
  else { left = Some (make (depth - 1)); right = Some (make (depth - 1)); i = 0; j = 0 }

let () =
  ignore (Sys.opaque_identity (make stretch));
  let kept = new_node () in
  populate long_lived kept;
  let array = Array.make array_size 0.0 in
  for i = 1 to (array_size / 2) - 1 do
    array.(i) <- 1.0 /. float_of_int i
  done;
  let depth = ref shallowest in
  while !depth <= deepest do
    for _ = 1 to 2 * nodes_of stretch / nodes_of !depth do
      populate !depth (new_node ());
      ignore (Sys.opaque_identity (make !depth))
    done;
    depth := !depth + 2
  done;
  if kept.left <> None && array.(1000) = 1.0 /. 1000.0 then print_endline "done"
