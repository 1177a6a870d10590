MODULE Math;

PROCEDURE cabs(z: Complex): LONGREAL =
  BEGIN
    RETURN hypot(z.x, z.y);
  END cabs;

BEGIN
END Math.
