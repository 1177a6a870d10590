MODULE Layout;

PROCEDURE Good(cell: Cell): BOOLEAN =
  BEGIN
    RETURN cell # NIL;
  END Good;

BEGIN
END Layout.
