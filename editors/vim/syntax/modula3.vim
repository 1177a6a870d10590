" Modula-3 with Tenure's extensions, after docs/language.md (1, 26) and compiler/lex/tokens.def.

if exists('b:current_syntax')
  finish
endif

syntax case match
syntax sync minlines=200

" --- Keywords ---

syntax keyword modula3Statement BEGIN DO END EVAL EXIT LOCK OF RETURN WITH
syntax keyword modula3Conditional CASE ELSE ELSIF IF THEN TYPECASE
syntax keyword modula3Repeat BY FOR LOOP REPEAT TO UNTIL WHILE
syntax keyword modula3Exception EXCEPT FINALLY RAISE RAISES TRY
syntax keyword modula3Operator AND DIV IN MOD NOT OR
syntax keyword modula3Import AS EXPORTS FROM IMPORT
syntax keyword modula3Structure ARRAY BITS BRANDED OBJECT RECORD REF ROOT SET UNTRACED
syntax keyword modula3Storage ANY READONLY UNSAFE VALUE VAR
syntax keyword modula3Define CONST EXCEPTION GENERIC INTERFACE METHODS MODULE OVERRIDES PROCEDURE
      \ REVEAL TYPE

" --- Names that the language declares ---

syntax keyword modula3Type ADDRESS BOOLEAN CARDINAL CHAR EXTENDED INTEGER LONGCARD LONGINT LONGREAL
      \ MUTEX NULL REAL REFANY TEXT WIDECHAR
syntax keyword modula3Constant NIL
syntax keyword modula3Boolean FALSE TRUE
syntax keyword modula3Builtin ABS ADR ADRSIZE BITSIZE BYTESIZE CEILING DEC DISPOSE FIRST FLOAT FLOOR
      \ INC ISTYPE LAST LOOPHOLE MAX MIN NARROW NEW NUMBER ORD ROUND SUBARRAY TRUNC TYPECODE VAL

" --- Names that the program declares ---

syntax match modula3Function "\%(\<PROCEDURE\s\+\)\@<=\a\w*"
syntax match modula3Unit "\%(\<\%(MODULE\|INTERFACE\)\s\+\)\@<=\a\w*"

" --- Literals ---

syntax match modula3Number "\<\d\+\%(_\x\+\)\=[Ll]\=\>"
syntax match modula3Float "\<\d\+\.\d\+\%([EeDdXx][+-]\=\d\+\)\="
syntax match modula3Escape contained "\\\%([ntrf\\'"]\|\o\{3}\%(\o\{3}\)\=\|[Xx]\x\{2}\%(\x\{2}\)\=\|U\x\{6}\)"
syntax region modula3Text start=+\<[Ww]"\|"+ skip=+\\.+ end=+"+ oneline contains=modula3Escape
syntax match modula3Character "\%(\<[Ww]\)\='\%([^'\\]\|\\[ntrf\\'"]\|\\\o\{3}\%(\o\{3}\)\=\|\\[Xx]\x\{2}\%(\x\{2}\)\=\|\\U\x\{6}\)'"
      \ contains=modula3Escape

" --- Comments and pragmas, which nest. What a known pragma contains is code. ---

syntax keyword modula3Todo contained TODO FIXME XXX
syntax region modula3Comment start="(\*" end="\*)" contains=modula3Comment,modula3Todo,@Spell fold
syntax region modula3SkippedPragma matchgroup=modula3Pragma start="<\*\_s*\w*" end="\*>"
      \ contains=modula3SkippedPragma
syntax region modula3KnownPragma matchgroup=modula3Pragma
      \ start="<\*\_s*\%(APIENTRY\|APIPRIVATE\|ASSERT\|C\|CALLBACK\|DEBUG\|EXTERNAL\|FATAL\|IMPLICIT\|INLINE\|LIBRARY\|OBSOLETE\|PASCAL\|TRACE\|TRANSIENT\|UNUSED\|WINAPI\|WINAPIV\|__cdecl\|__stdcall\)\>"
      \ end="\*>" contains=TOP

highlight default link modula3Statement Statement
highlight default link modula3Conditional Conditional
highlight default link modula3Repeat Repeat
highlight default link modula3Exception Exception
highlight default link modula3Operator Operator
highlight default link modula3Import Include
highlight default link modula3Structure Structure
highlight default link modula3Storage StorageClass
highlight default link modula3Define Keyword
highlight default link modula3Type Type
highlight default link modula3Constant Constant
highlight default link modula3Boolean Boolean
highlight default link modula3Builtin Function
highlight default link modula3Function Function
highlight default link modula3Unit Identifier
highlight default link modula3Number Number
highlight default link modula3Float Float
highlight default link modula3Text String
highlight default link modula3Character Character
highlight default link modula3Escape SpecialChar
highlight default link modula3Todo Todo
highlight default link modula3Comment Comment
highlight default link modula3SkippedPragma Comment
highlight default link modula3Pragma PreProc

let b:current_syntax = 'modula3'
