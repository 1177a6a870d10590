" Indentation as in stdlib/: two blanks a step, BEGIN of a procedure one step behind PROCEDURE, arms of
" CASE below CASE. The lines from the last PROCEDURE or section in column 1 on are read as tokens.
" ../emacs/tenure-modula3-mode.el has the same rules.

if exists('b:did_indent')
  finish
endif
let b:did_indent = 1

setlocal indentexpr=GetTenureModula3Indent(v:lnum)
setlocal indentkeys=!^F,o,O,0=END,0=ELSE,0=ELSIF,0=EXCEPT,0=FINALLY,0=UNTIL,0=BEGIN,0=METHODS,0=OVERRIDES
setlocal indentkeys+=0=PROCEDURE,0=CONST,0=TYPE,0=VAR,0=EXCEPTION,0=REVEAL,0\|,0),0},0]
let b:undo_indent = 'setlocal indentexpr< indentkeys<'

if exists('*GetTenureModula3Indent')
  finish
endif

let s:token = '(\*\|\*)\|<\*\|\*>\|"\%(\\.\|[^"\\]\)*"\|''\%(\\[^'']*.\|[^''\\]\)''\|\a\w*\|[:<=>]\+\|\S'
let s:sections = ['CONST', 'TYPE', 'EXCEPTION', 'VAR', 'REVEAL']
let s:openers = ['IF', 'WHILE', 'FOR', 'WITH', 'LOCK', 'LOOP', 'REPEAT', 'TRY', 'CASE', 'TYPECASE',
      \ 'RECORD', 'OBJECT']
let s:branches = ['ELSE', 'ELSIF', 'EXCEPT', 'FINALLY', 'UNTIL', '|']
let s:closers = [')', ']', '}']
" Behind these a statement, a declaration or a member begins.
let s:ends = [';', 'THEN', 'DO', 'ELSE', 'BEGIN', 'LOOP', 'REPEAT', 'TRY', 'EXCEPT', 'FINALLY', '=>',
      \ '*>', 'OBJECT', 'RECORD', 'METHODS', 'OVERRIDES', '|', ''] + s:sections

function! s:Push(state, kind, base) abort
  call add(a:state.stack, {'kind': a:kind, 'base': a:base})
endfunction

function! s:Top(state) abort
  return empty(a:state.stack) ? {'kind': '', 'base': 0} : a:state.stack[-1]
endfunction

function! s:DropSection(state) abort
  if s:Top(a:state).kind ==# 'section'
    return remove(a:state.stack, -1).base
  endif
  return -1
endfunction

" Moves the state behind one token of code.
function! s:Take(state, token, column, rest, line_indent) abort
  let state = a:state
  let kind = s:Top(state).kind
  if index(s:ends, state.previous) >= 0 || state.previous ==# 'OF' && kind ==# 'CASE'
    let state.start = {'indent': a:column, 'line': state.line, 'text': a:rest}
  endif
  if a:token =~# '^[([{]$'
    call add(state.stack, {'kind': '(', 'base': a:line_indent, 'opening': a:column,
          \ 'column': a:column + matchend(a:rest, '^.\s*'),
          \ 'is_last': a:rest =~# '^.\s*$', 'step': a:token ==# '{' ? 2 : 4})
  elseif index(s:closers, a:token) >= 0
    while !empty(state.stack) && remove(state.stack, -1).kind !=# '('
    endwhile
  elseif a:token ==# 'PROCEDURE' && a:rest =~# '^PROCEDURE\s\+\a' && kind !=# '('
    let base = s:DropSection(state)
    call s:Push(state, 'PROCEDURE', a:line_indent)
  elseif a:token =~# '^=$' && kind ==# 'PROCEDURE'
    let state.stack[-1].kind = 'body'
  elseif a:token ==# ';' && kind ==# 'PROCEDURE'
    call remove(state.stack, -1)
  elseif a:token ==# 'BEGIN'
    let section = s:DropSection(state)
    let outer = s:Top(state)
    if outer.kind ==# 'body'
      let state.stack[-1].kind = 'procedure'
      call s:Push(state, 'BEGIN', outer.base + 2)
    else
      call s:Push(state, 'BEGIN', section >= 0 ? section : a:line_indent)
    endif
  elseif index(s:sections, a:token) >= 0 && kind !=# '('
    call s:DropSection(state)
    call s:Push(state, 'section', a:line_indent)
  elseif a:token ==# 'FOR' && index(s:ends, state.previous) < 0 && state.previous !=# 'OF'
    " BITS n FOR T
  elseif index(s:openers, a:token) >= 0
    call s:Push(state, a:token ==# 'TYPECASE' ? 'CASE' : a:token, a:line_indent)
  elseif a:token ==# 'END'
    call s:DropSection(state)
    if !empty(state.stack)
      call remove(state.stack, -1)
    endif
    if s:Top(state).kind ==# 'procedure'
      call remove(state.stack, -1)
    endif
  elseif a:token ==# 'UNTIL' && kind ==# 'REPEAT'
    call remove(state.stack, -1)
  endif
  let state.previous = a:token
endfunction

" Moves the state behind a line.
function! s:TakeLine(state, number) abort
  let line = getline(a:number)
  let a:state.line = a:number
  let line_indent = indent(a:number)
  let at = 0
  while 1
    let [token, begin, at] = matchstrpos(line, s:token, at)
    if begin < 0
      return
    endif
    if a:state.comments > 0 || a:state.pragmas > 0
      " Only what nests counts; a longer token is read again from its second character.
      if token ==# '(*'
        let a:state.comments += 1
      elseif token ==# '*)'
        let a:state.comments -= a:state.comments > 0
      elseif a:state.comments == 0 && token ==# '<*'
        let a:state.pragmas += 1
      elseif a:state.comments == 0 && token ==# '*>'
        let a:state.pragmas -= 1
        if a:state.pragmas == 0 && a:state.is_statement
          let a:state.previous = '*>'
        endif
      elseif token !~# '^\w'
        let at = begin + 1
      endif
    elseif token ==# '(*'
      let a:state.comments = 1
    elseif token ==# '<*'
      let a:state.pragmas = 1
      let a:state.is_statement = strpart(line, begin) =~# '^<\*\s*\%(ASSERT\|DEBUG\)\>'
    else
      call s:Take(a:state, token, begin, strpart(line, begin), line_indent)
    endif
  endwhile
endfunction

" The first token of a line: a word, a bar, or a closing bracket.
function! s:Indent(state, first, line) abort
  let state = a:state
  let top = s:Top(state)
  if a:first ==# 'END' || a:first ==# 'BEGIN' || index(s:sections, a:first) >= 0
        \ || a:line =~# '^\s*PROCEDURE\s\+\a'
    if top.kind !=# '('
      let section = s:DropSection(state)
      let top = s:Top(state)
      if a:first ==# 'BEGIN' && section >= 0 && top.kind !=# 'body'
        return section
      endif
    endif
  endif
  if a:first ==# 'END'
    return top.base
  elseif index(s:branches, a:first) >= 0 || a:first =~# '^\%(METHODS\|OVERRIDES\)$'
    return top.base
  elseif top.kind ==# '('
    if index(s:closers, a:first) >= 0
      return top.is_last ? top.base : top.opening
    endif
    return top.is_last ? top.base + top.step : top.column
  elseif index(s:ends, state.previous) < 0 && state.start.line > 0
        \ && index(['PROCEDURE', 'body', 'procedure', ''], top.kind) < 0
        \ && !(state.previous ==# 'OF' && top.kind ==# 'CASE')
    " The statement goes on: behind its first word or behind `:=`, or two steps further.
    let text = state.start.text
    let offset = matchend(text, '^\%(RETURN\|EVAL\|IF\|ELSIF\|WHILE\|UNTIL\|WITH\)\s\+')
    if offset < 0
      let offset = matchend(text, '^[^(":]*:=\s\+\ze\S')
    endif
    return state.start.indent + (offset > 0 ? offset : 4)
  elseif top.kind ==# 'section' || top.kind ==# 'body' || top.kind ==# 'PROCEDURE'
    return top.base + 2
  elseif top.kind ==# ''
    return state.start.text =~# '^\%(IMPORT\|FROM\|MODULE\)\>' && state.previous !=# ';' ? 2 : 0
  endif
  return top.base + 2
endfunction

" A line without the pragmas in front of its code.
function! s:Code(number) abort
  return substitute(getline(a:number), '^\s*\%(<\*.\{-}\*>\s*\)\+\ze\S', '', '')
endfunction

" The line that a comment or pragma on a line of its own stands in front of.
function! s:Described(number) abort
  let number = a:number
  while s:Code(number) =~# '^\s*\%((\*\|<\*\)' && getline(number) !~# '^\s*<\*\s*\%(ASSERT\|DEBUG\)\>'
    let end = getline(number) =~# '^\s*(' ? '\*)\s*$' : '\*>\s*$'
    while number < line('$') && getline(number) !~# end
      let number += 1
    endwhile
    let number = nextnonblank(number + 1)
    if number == 0
      return a:number
    endif
  endwhile
  let line = s:Code(number)
  return line =~# '^\s*\%(PROCEDURE\s\+\a\|\%(BEGIN\|' . join(s:sections, '\|') . '\)\>\)' ? number : a:number
endfunction

function! GetTenureModula3Indent(number) abort
  let begin = a:number - 1
  while begin > 1 && getline(begin) !~# '^\%(PROCEDURE\|CONST\|TYPE\|EXCEPTION\|VAR\|REVEAL\|MODULE\|INTERFACE\)\>'
    let begin -= 1
  endwhile
  let state = {'stack': [], 'comments': 0, 'pragmas': 0, 'previous': '', 'line': 0,
        \ 'is_statement': 0, 'start': {'indent': 0, 'line': 0, 'text': ''}}
  for number in range(max([begin, 1]), a:number - 1)
    call s:TakeLine(state, number)
  endfor
  if state.comments > 0 || state.pragmas > 0
    return -1
  endif
  let line = s:Code(s:Described(a:number))
  return s:Indent(state, matchstr(line, '^\s*\zs\%(\a\w*\|[|)\]}]\)'), line)
endfunction
