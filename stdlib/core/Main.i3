(* Exported by the module with which a program starts. *)
INTERFACE Main;
END Main.
