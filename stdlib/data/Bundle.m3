MODULE Bundle;

IMPORT BundleRep;

PROCEDURE Get(bundle: T; element: TEXT): TEXT =
  BEGIN
    RETURN bundle.get(element);
  END Get;

PROCEDURE EltNames(bundle: T): REF ARRAY OF TEXT =
  BEGIN
    RETURN bundle.getNames();
  END EltNames;

BEGIN
END Bundle.
