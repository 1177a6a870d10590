(* Masses that attract each other, in records of LONGREALs. Usage: Main N steps. *)
MODULE Main;

IMPORT Fmt, IO, Math, Params, Scan;

<*FATAL ANY*>

TYPE Body = RECORD x, y, z, vx, vy, vz, mass: LONGREAL END;

VAR bodies: ARRAY [0..4] OF Body;

PROCEDURE Advance(VAR b: ARRAY OF Body; dt: LONGREAL) =
  VAR dx, dy, dz, squared, magnitude: LONGREAL;
  BEGIN
    FOR i := 0 TO LAST(b) DO
      FOR j := i + 1 TO LAST(b) DO
        WITH p = b[i], q = b[j] DO
          dx := p.x - q.x;  dy := p.y - q.y;  dz := p.z - q.z;
          squared := dx * dx + dy * dy + dz * dz;
          magnitude := dt / (squared * Math.sqrt(squared));
          p.vx := p.vx - dx * q.mass * magnitude;
          p.vy := p.vy - dy * q.mass * magnitude;
          p.vz := p.vz - dz * q.mass * magnitude;
          q.vx := q.vx + dx * p.mass * magnitude;
          q.vy := q.vy + dy * p.mass * magnitude;
          q.vz := q.vz + dz * p.mass * magnitude;
        END;
      END;
    END;
    FOR i := 0 TO LAST(b) DO
      WITH p = b[i] DO
        p.x := p.x + dt * p.vx;
        p.y := p.y + dt * p.vy;
        p.z := p.z + dt * p.vz;
      END;
    END;
  END Advance;

VAR f: LONGREAL;
BEGIN
  FOR i := 0 TO 4 DO
    f := FLOAT(i + 1, LONGREAL);
    bodies[i] := Body{f * 1.5d0, 10.0d0 / f, f * f * 0.25d0, 0.1d0 * f, 0.2d0 / f, -0.05d0 * f, 1.0d0 / f};
  END;
  FOR i := 1 TO Scan.Int(Params.Get(1)) DO Advance(bodies, 0.001d0) END;
  FOR i := 0 TO 4 DO IO.Put(Fmt.Int(ROUND(bodies[i].x * 1000000.0d0)) & "\n") END;
END Main.
