" :make checks the package in the current directory; `:make DIR` another one.
"
" Besides errors and warnings the list has notes (n) and what fixes would change (i).

if exists('current_compiler')
  finish
endif
let current_compiler = 'tenure'

if exists(':CompilerSet') != 2
  command -nargs=* CompilerSet setlocal <args>
endif

CompilerSet makeprg=tenure\ check\ --color\ never\ $*
CompilerSet errorformat=
      \%f:%l:%c:\ %trror[%*[A-Z]%n]:\ %m,
      \%f:%l:%c:\ %tarning[%*[A-Z]%n]:\ %m,
      \%f:%l:%c:\ %tote:\ %m,
      \%f:%l:%c:\ f%tx:\ %m,
      \%-G%.%#
