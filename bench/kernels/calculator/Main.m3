(* Parses expressions into trees of objects, and evaluates them. Usage: Main N, the number of expressions. *)
MODULE Main;

IMPORT Fmt, IO, Params, Scan, Text;

<*FATAL ANY*>

TYPE
  Node = OBJECT METHODS value(x: INTEGER): INTEGER END;
  Number = Node OBJECT number: INTEGER OVERRIDES value := NumberValue END;
  Variable = Node OBJECT OVERRIDES value := VariableValue END;
  Operation = Node OBJECT op: CHAR; left, right: Node OVERRIDES value := OperationValue END;

VAR text: TEXT;  at: CARDINAL;

PROCEDURE NumberValue(n: Number; <*UNUSED*> x: INTEGER): INTEGER = BEGIN RETURN n.number END NumberValue;
PROCEDURE VariableValue(<*UNUSED*> v: Variable; x: INTEGER): INTEGER = BEGIN RETURN x END VariableValue;

PROCEDURE OperationValue(o: Operation; x: INTEGER): INTEGER =
  VAR left := o.left.value(x);  right := o.right.value(x);
  BEGIN
    CASE o.op OF
    | '+' => RETURN left + right;
    | '-' => RETURN left - right;
    | '*' => RETURN left * right MOD 1000003;
    ELSE RETURN left DIV (right MOD 7 + 1);
    END;
  END OperationValue;

PROCEDURE Peek(): CHAR =
  BEGIN
    IF at < Text.Length(text) THEN RETURN Text.GetChar(text, at) ELSE RETURN ';' END;
  END Peek;

PROCEDURE Factor(): Node =
  VAR n := 0;  node: Node;
  BEGIN
    IF Peek() = '(' THEN
      INC(at);
      node := Sum();
      INC(at);
      RETURN node;
    ELSIF Peek() = 'x' THEN
      INC(at);
      RETURN NEW(Variable);
    END;
    WHILE Peek() >= '0' AND Peek() <= '9' DO
      n := 10 * n + ORD(Peek()) - ORD('0');
      INC(at);
    END;
    RETURN NEW(Number, number := n);
  END Factor;

PROCEDURE Product(): Node =
  VAR node := Factor();  op: CHAR;
  BEGIN
    WHILE Peek() = '*' OR Peek() = '/' DO
      op := Peek();
      INC(at);
      node := NEW(Operation, op := op, left := node, right := Factor());
    END;
    RETURN node;
  END Product;

PROCEDURE Sum(): Node =
  VAR node := Product();  op: CHAR;
  BEGIN
    WHILE Peek() = '+' OR Peek() = '-' DO
      op := Peek();
      INC(at);
      node := NEW(Operation, op := op, left := node, right := Product());
    END;
    RETURN node;
  END Sum;

VAR sum := 0;  tree: Node;
BEGIN
  FOR i := 1 TO Scan.Int(Params.Get(1)) DO
    text := "(x+" & Fmt.Int(i) & ")*3-x*x/(4+x)+(" & Fmt.Int(i MOD 100) & "-x)*(x+17)";
    at := 0;
    tree := Sum();
    FOR x := 0 TO 9 DO sum := (sum + tree.value(x)) MOD 1000000007 END;
  END;
  IO.Put(Fmt.Int(sum) & "\n");
END Main.
