"""Modula-3 values in gdb, for programs built with `tenure build -g`. `tenure debug` loads this file.

All texts are shown, objects with the type that they have, NIL as NIL, BOOLEANs as TRUE and FALSE, arrays with their
bounds. Nothing here calls a procedure of the program or writes to its memory: an object of a database that is not in
memory yet is shown as such and stays where it is.
"""

import re

import gdb

HEADER_BYTES = 8
DESCRIPTOR_MASK = 0xFFFFFFF0
# Places in a descriptor (abi/type_descriptor.h) and in the description of a field.
FLAGS, ELEMENT_BYTES, FIELD_COUNT, FIELDS, NAME = 16, 28, 44, 64, 80
TYPECODE, PROGRAM_TYPES, PROGRAM_TYPE_COUNT = 8, 16, 24
FIELD_BYTES, FIELD_NAME, FIELD_OFFSET, FIELD_SIZE = 48, 0, 24, 28
KIND_OBJECT, KIND_TEXT = 1, 32
MOST_CHARACTERS = 2000
MOST_ELEMENTS = 200
MOST_DEPTH = 200


class NotInMemory(Exception):
    """The object has not been read from its database."""


class OtherText(Exception):
    """A text of a class that this file does not know."""


def read(address, size):
    return int.from_bytes(gdb.selected_inferior().read_memory(address, size).tobytes(), "little")


_types = None  # the program's table of descriptors: its address and length


def is_descriptor(address):
    global _types
    if _types is None:
        program = int(gdb.parse_and_eval("(unsigned long) &tn_program"))
        _types = (read(program + PROGRAM_TYPES, 8), read(program + PROGRAM_TYPE_COUNT, 4))
    typecode = read(address + TYPECODE, 4)
    return typecode < _types[1] and read(_types[0] + 8 * typecode, 8) == address


def is_untraced(kind):
    """Whether a reference of the type refers to no object with a header: UNTRACED REF, ADDRESS."""
    while kind.code == gdb.TYPE_CODE_TYPEDEF:
        if kind.name == "UNTRACED":
            return True
        kind = kind.target()
    return False


def read_cstring(address):
    text = bytearray()
    while len(text) < 500:
        byte = read(address + len(text), 1)
        if byte == 0:
            break
        text.append(byte)
    return text.decode("latin-1")


def descriptor_of(reference):
    """The address of the descriptor of the object at the reference."""
    try:
        descriptor = read(reference - HEADER_BYTES, 8) & DESCRIPTOR_MASK
    except gdb.MemoryError:
        # The page is reserved for a page of a database, which nobody has touched yet.
        raise NotInMemory from None
    if descriptor == 0:
        raise NotInMemory
    if not is_descriptor(descriptor):
        raise gdb.error(f"there is no object at {reference:#x}")
    return descriptor


def type_name(reference):
    """The name of the type that the object has."""
    return read_cstring(read(descriptor_of(reference) + NAME, 8))


def is_object(reference):
    """Whether the object is of an OBJECT type; else the type that it is declared with tells everything."""
    return bool(read(descriptor_of(reference) + FLAGS, 4) & KIND_OBJECT)


# --- texts ---

def characters(reference, start=0, length=None, depth=0):
    """The characters of a text of any class, as numbers."""
    descriptor = descriptor_of(reference)
    if read(descriptor + FLAGS, 4) & KIND_TEXT:
        size = read(descriptor + ELEMENT_BYTES, 4)
        count = read(reference, 8) - 1 - start
        count = min(count if length is None else min(count, length), MOST_CHARACTERS)
        data = gdb.selected_inferior().read_memory(reference + 8 + start * size, max(count, 0) * size).tobytes()
        return [int.from_bytes(data[i:i + size], "little") for i in range(0, len(data), size)]
    if depth > MOST_DEPTH:
        return []
    value = fields_of(reference)
    if {"a", "b", "aLength"} <= value.keys():  # TextCat
        left, right = value["a"], value["b"]
        found = characters(left, depth=depth + 1) + characters(right, depth=depth + 1)
    elif {"base", "start", "length"} <= value.keys():  # TextSub
        found = characters(value["base"], value["start"], value["length"], depth + 1)
    elif {"room", "length"} <= value.keys():  # TextBuffer: a length of the array and of what is used, then characters
        data = gdb.selected_inferior().read_memory(value["room"] + 16, min(value["length"], MOST_CHARACTERS))
        found = list(data.tobytes())
    else:
        raise OtherText
    end = None if length is None else start + length
    return found[start:end][:MOST_CHARACTERS]


def fields_of(reference):
    """The fields of an object of the library's texts, as numbers, by the descriptor's own list of fields."""
    found = {}
    descriptor = descriptor_of(reference)
    fields = read(descriptor + FIELDS, 8)
    for i in range(read(descriptor + FIELD_COUNT, 4)):
        field = fields + i * FIELD_BYTES
        place, size = read(field + FIELD_OFFSET, 4) // 8, read(field + FIELD_SIZE, 4) // 8
        found[read_cstring(read(field + FIELD_NAME, 8))] = read(reference + place, size)
    return found


def quoted(codes):
    shown = []
    for code in codes:
        if code in (0x22, 0x5C):
            shown.append("\\" + chr(code))
        elif code == 10:
            shown.append("\\n")
        elif code == 9:
            shown.append("\\t")
        elif code < 32 or code == 127:
            shown.append(f"\\{code:03o}")
        else:
            shown.append(chr(code))
    return '"' + "".join(shown) + '"' + ("..." if len(codes) >= MOST_CHARACTERS else "")


def show_text(reference):
    if reference == 0:
        return "NIL"
    try:
        return quoted(characters(reference))
    except NotInMemory:
        return f"<text at {reference:#x}, not in memory>"
    except OtherText:
        return f"<text at {reference:#x}, of a class of the program's own>"
    except gdb.error:
        return f"<no text at {reference:#x}>"


# --- other values ---

def is_text(kind):
    """TEXT as a variable or field: an array whose place is found at run time."""
    if kind.code != gdb.TYPE_CODE_ARRAY:
        return False
    target = kind.target().strip_typedefs()
    return target.name == "CHAR" and getattr(kind, "dynamic", False)


def is_named_text(kind):
    return kind.name == "TEXT"


def show(value, depth=0):
    """The value as text."""
    kind = value.type
    stripped = kind.strip_typedefs()
    if value.is_optimized_out:
        return "<optimized out>"
    # A pointer whose object is known and whose own value is not.
    if stripped.code == gdb.TYPE_CODE_PTR and "<synthetic pointer>" in value.format_string(raw=True):
        return "<optimized out>"
    if is_named_text(kind) and stripped.code == gdb.TYPE_CODE_PTR:
        return show_text(int(value))
    if stripped.code == gdb.TYPE_CODE_BOOL:
        return "TRUE" if int(value) else "FALSE"
    if stripped.code in (gdb.TYPE_CODE_CHAR,) or stripped.name in ("CHAR", "WIDECHAR"):
        code = int(value) & 0xFFFFFFFF
        return "'" + quoted([code])[1:-1].replace("'", "\\'") + "'"
    if stripped.code == gdb.TYPE_CODE_INT:
        return str(int(value))
    if stripped.code == gdb.TYPE_CODE_PTR:
        return show_reference(value)
    if stripped.code == gdb.TYPE_CODE_ARRAY:
        return show_array(value, depth)
    if stripped.code == gdb.TYPE_CODE_STRUCT:
        return show_record(value, depth)
    return value.format_string(raw=True)


def show_reference(value):
    address = int(value)
    if address == 0:
        return "NIL"
    name = value.type.name or str(value.type)
    if value.type.strip_typedefs().target().code == gdb.TYPE_CODE_FUNC:
        return value.format_string(raw=True)
    if is_untraced(value.type):
        return f"({name}) {address:#x}"
    try:
        own = type_name(address)
        if not is_object(address) and name not in ("REFANY", "ADDRESS"):
            own = name
    except NotInMemory:
        return f"({name}) {address:#x} <not in memory>"
    except gdb.error:
        own = name
    return f"({own}) {address:#x}"


def text_reference(value):
    """The reference of a TEXT variable or field, whose value gdb takes for an array of its characters."""
    address = value.address
    if address is None:
        return None
    # The address is that of the characters, or that of the variable.
    place = int(address)
    if place <= 8:
        return 0
    try:
        descriptor_of(place - 8)
        return place - 8
    except (gdb.error, NotInMemory):
        return read(place, 8)


def show_array(value, depth):
    kind = value.type.strip_typedefs()
    text = value.format_string(raw=True) if kind.target().strip_typedefs().name in ("CHAR", "char") else None
    if text == "<not allocated>":
        reference = text_reference(value)
        return text if reference is None else show_text(reference)
    if text is not None:
        return text
    try:
        low, high = kind.range()
    except gdb.error:
        return value.format_string(raw=True)
    parts = []
    for i in range(low, min(high, low + MOST_ELEMENTS - 1) + 1):
        part = show(value[i], depth + 1)
        parts.append(f"[{i}] = {part}" if low != 0 else part)
    if high - low + 1 > MOST_ELEMENTS:
        parts.append("...")
    return "{" + ", ".join(parts) + "}"


def show_record(value, depth):
    if is_named_text(value.type):
        # An element of an array: a record around the text.
        return show_text(read(int(value.address), 8)) if value.address is not None else value.format_string(raw=True)
    parts = []
    for field in value.type.strip_typedefs().fields():
        if field.is_base_class:
            base = show_record(value[field], depth)
            if base != "{}":
                parts.append(base[1:-1])
            continue
        if hasattr(field, "bitpos"):
            parts.append(f"{field.name} = {show_field(value, field, depth)}")
    return "{" + ", ".join(parts) + "}"


def show_field(value, field, depth):
    try:
        part = value[field]
        if part.type.strip_typedefs().code == gdb.TYPE_CODE_ARRAY and value.address is not None:
            if part.format_string(raw=True) == "<not allocated>":
                return show_text(read(int(value.address) + field.bitpos // 8, 8))
        return show(part, depth + 1)
    except (gdb.MemoryError, NotInMemory):
        return "<not in memory>"
    except gdb.error as error:
        return f"<{error}>"


# --- commands ---

def translated(expression):
    """An expression of Modula-3 as one of C: r^, a # b, NIL, TRUE, FALSE, NARROW(x, T), `=` stays C's assignment."""
    def narrow(match):
        return f"(('{match.group(2).strip()}') ({match.group(1)}))"
    expression = re.sub(r"\bNARROW\s*\(\s*([^,]*),\s*([A-Za-z_.0-9]+)\s*\)", narrow, expression)
    expression = re.sub(r"((?:[A-Za-z_0-9.\]\)]|->)+)\^\.", r"\1->", expression)
    expression = re.sub(r"([A-Za-z_0-9.\]]+)\^", r"(*\1)", expression)
    expression = re.sub(r"\bNIL\b", "0", expression)
    expression = re.sub(r"\bTRUE\b", "1", expression)
    expression = re.sub(r"\bFALSE\b", "0", expression)
    return expression.replace("#", "!=")


def evaluate(expression):
    """The value of an expression: names, fields, subscripts and ^ here, all else by gdb."""
    expression = expression.strip()
    if expression.startswith("*") and steps_of(expression[1:]):
        return dynamic(by_steps(steps_of(expression[1:]))).dereference()
    steps = steps_of(expression)
    if steps is None:
        return gdb.parse_and_eval(translated(expression))
    return by_steps(steps)


def steps_of(expression):
    """a.b^[1, 2].c in pieces; None if the expression has another form."""
    if not re.match(r"[A-Za-z_]", expression) or "->" in expression or "(" in expression:
        return None
    steps = re.findall(r"[A-Za-z_][A-Za-z_0-9]*|\[[^\[\]]*\]|\^", expression)
    return steps if "".join(steps) == expression.replace(".", "") else None


def variable(name):
    """A variable in scope, or None."""
    try:
        return gdb.selected_frame().read_var(name)
    except (gdb.error, ValueError):
        pass
    for symbol in (gdb.lookup_global_symbol(name), gdb.lookup_static_symbol(name)):
        if symbol is not None and symbol.is_variable and symbol.type.name != name:
            return symbol.value()
    return None


def in_unit(unit, name):
    """The variable of a module or interface, or None."""
    for kind in ("m3", "i3"):
        try:
            return gdb.parse_and_eval(f"'{unit}.{kind}'::{name}")
        except gdb.error:
            pass
    return None


def by_steps(steps):
    """Each value may be a reference: a field or an element is that of what it refers to."""
    value = None
    if len(steps) > 1 and re.match(r"[A-Za-z_]", steps[1]) and not is_local(steps[0]):
        value = in_unit(steps[0], steps[1])
        rest = steps[2:]
    if value is None:
        value = variable(steps[0])
        rest = steps[1:]
    if value is None:
        value = gdb.parse_and_eval(translated(steps[0]))
    for step in rest:
        if step == "^":
            value = dynamic(value).dereference()
        elif step.startswith("["):
            if value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR:
                value = value.dereference()
            for index in step[1:-1].split(","):
                value = value[int(evaluate(index))]
        else:
            value = field_named(value, step)
    return value


def is_local(name):
    """Whether the selected frame has a variable of this name that is not a global one."""
    try:
        symbol = gdb.lookup_symbol(name)[0]
    except gdb.error:
        return False
    return symbol is not None and symbol.needs_frame


def field_named(value, name):
    if value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR:
        value = dynamic(value).dereference()
    return value[name]


def dynamic(value):
    """The reference as one to the type that its object has, if the program describes that type."""
    try:
        name = "" if is_untraced(value.type) else type_name(int(value))
        if name and name != value.type.name and is_object(int(value)):
            return value.cast(gdb.lookup_type(name))
    except (gdb.error, NotInMemory):
        pass
    return value


class Print(gdb.Command):
    """Print the value of an expression of Modula-3: print x, print Main.total, print node^, print NARROW(s, Circle).

With a format (print/x) gdb prints the value itself."""

    def __init__(self, name):
        super().__init__(name, gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):
        argument = argument.strip()
        if argument.startswith("/"):
            gdb.execute("call " + argument)
            return
        if not argument or argument.startswith("-") or not is_modula():
            gdb.execute("call " + argument)
            return
        try:
            value = evaluate(argument)
            text = show_whole(value)
        except (gdb.MemoryError, NotInMemory):
            print(f"{argument} = <not in memory>")
            return
        print(f"{history_name(value)} = {text}")


def history_name(value):
    """Adds the value to gdb's history: "$1"."""
    try:
        gdb.set_convenience_variable("_tenure", value)
        return gdb.execute("call $_tenure", to_string=True).split(" ", 1)[0]
    except gdb.error:
        return "$"


def show_whole(value):
    """As `show`; for a reference that is followed (`*r`, r^), with the fields that its object's own type adds."""
    if value.type.strip_typedefs().code == gdb.TYPE_CODE_STRUCT and value.address is not None:
        pointer = value.address
        try:
            name = type_name(int(pointer)) if is_object(int(pointer)) else ""
            if name:
                value = pointer.cast(gdb.lookup_type(name)).dereference()
                return f"({name}) {show(value)}"
        except (gdb.error, NotInMemory):
            pass
    return show(value)


def is_modula():
    """Whether the selected frame is code of Modula-3, or no program runs."""
    try:
        symbol = gdb.selected_frame().find_sal().symtab
    except gdb.error:
        return True
    return symbol is None or symbol.filename.endswith((".m3", ".i3", ".mg", ".ig"))


def variables(arguments):
    """The names and values in the blocks of the frame, the innermost first."""
    frame = gdb.selected_frame()
    try:
        block = frame.block()
    except RuntimeError:
        return
    seen = set()
    while block is not None and not block.is_global and not block.is_static:
        for symbol in block:
            if symbol.is_argument != arguments or not (symbol.is_variable or symbol.is_argument):
                continue
            if symbol.name in seen:
                continue
            seen.add(symbol.name)
            try:
                yield symbol.name, show_whole(symbol.value(frame))
            except (gdb.error, gdb.MemoryError) as error:
                yield symbol.name, f"<{error}>"
        if block.function is not None:
            break
        block = block.superblock


class InfoVariables(gdb.Command):
    """Values of the selected frame's variables, as Modula-3 writes them."""

    def __init__(self, name, arguments):
        self.arguments = arguments
        super().__init__(name, gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        found = False
        for name, text in variables(self.arguments):
            found = True
            print(f"{name} = {text}")
        if not found:
            print("No arguments." if self.arguments else "No locals.")


class RaiseBreakpoint(gdb.Breakpoint):
    """Stops where an exception is raised."""

    def __init__(self, wanted):
        self.wanted = wanted
        super().__init__("tn_debug_raise", internal=False)

    def stop(self):
        try:
            name = gdb.parse_and_eval("(unsigned long) $rdi")
            raised = read_cstring(read(int(name), 8))
        except gdb.error:
            return True
        if self.wanted and raised != self.wanted and not raised.endswith("." + self.wanted):
            return False
        print(f"Raise of {raised}")
        return True


class CatchRaise(gdb.Command):
    """Stop where an exception is raised, also by a run-time error: catch raise [Interface.Exception]."""

    def __init__(self):
        super().__init__("catch raise", gdb.COMMAND_BREAKPOINTS)

    def invoke(self, argument, from_tty):
        RaiseBreakpoint(argument.strip())


def select_program_frame(event):
    """After a stop in the run time, shows the frame of the program that led there."""
    if not isinstance(event, gdb.BreakpointEvent):
        return
    if not any(isinstance(point, RaiseBreakpoint) for point in event.breakpoints):
        return
    frame = gdb.newest_frame()
    while frame is not None:
        table = frame.find_sal().symtab
        if table is not None and table.filename.endswith((".m3", ".i3", ".mg", ".ig")):
            frame.select()
            gdb.execute("frame")
            return
        frame = frame.older()


class TextOf(gdb.Function):
    """$text(t): the characters of a TEXT."""

    def __init__(self):
        super().__init__("text")

    def invoke(self, value):
        reference = text_reference(value) if is_text(value.type) else None
        if not reference:
            return show(value)
        try:
            return "".join(map(chr, characters(reference)))
        except (NotInMemory, OtherText, gdb.error):
            return show(value)


class TypeOf(gdb.Function):
    """$type(r): the name of the type that the object at r has."""

    def __init__(self):
        super().__init__("type")

    def invoke(self, value):
        try:
            return type_name(int(value)) if int(value) != 0 else "NULL"
        except NotInMemory:
            return "not in memory"


for command in ("print", "p"):
    Print(command)
InfoVariables("info locals", False)
InfoVariables("info args", True)
CatchRaise()
TextOf()
TypeOf()
def stop_once(breakpoint):
    """The body of a TRY is a function of its own (Main.m3.P.try1) with the procedure's name: `break Main.P` stops only
    in the procedure itself. Breakpoints at lines and in single bodies stay as they are."""
    if breakpoint.type != gdb.BP_BREAKPOINT or ":" in (breakpoint.location or ":"):
        return
    for location in getattr(breakpoint, "locations", ()):  # from gdb 13 on
        place = gdb.execute(f"info symbol {location.address:#x}", to_string=True).split(" ")[0]
        if location.enabled and re.search(r"\.try\d+$", place):
            location.enabled = False


gdb.events.stop.connect(select_program_frame)
gdb.events.breakpoint_created.connect(stop_once)
gdb.execute("set print thread-events off")
# Faults by which the run time reads pages of databases and finds NIL: `catch raise` tells of errors.
gdb.execute("handle SIGSEGV SIGBUS nostop noprint pass", to_string=True)
# Signals by which a thread is stopped for a collection and let go on: kStopSignal of runtime/threads/safepoint.h and, with
# --gc=boehm, SIGRTMIN + 6 and + 7 (glibc's SIGRTMIN is 34).
gdb.execute("handle SIGPWR SIG40 SIG41 nostop noprint pass", to_string=True)
