(* The twin of bench/gc/graph in OCaml. *)
type part = { a : int; b : int; c : int }
type node = { mutable part : part; mutable next : node option; mutable uses : int }

let node_count = 500000
let steps = 6000000
let state = ref 1

let random () =
  state := ((!state * 1103515245) + 12345) land 0x7fffffff;
  !state / 8 mod node_count

let change n m step =
  if step mod 3 = 0 then n.part <- { a = step; b = n.part.a; c = n.uses }
  else begin
    let part = n.part in
    n.part <- m.part;
    m.part <- part
  end;
  n.next <- Some m;
  m.uses <- m.uses + 1

let () =
  let make i = { part = { a = i; b = 0; c = 0 }; next = None; uses = 0 } in
  let nodes = Array.init node_count make in
  for step = 1 to steps do
    let n = nodes.(random ()) in
    let m = nodes.(random ()) in
    change n m step
  done;
  let sum = ref 0 in
  Array.iter
    (fun n ->
      sum := ((!sum * 31) + n.part.a + n.part.b + n.part.c) land 0xffffffff;
      match n.next with None -> () | Some next -> sum := !sum + next.uses)
    nodes;
  Printf.printf "%d\n" !sum
