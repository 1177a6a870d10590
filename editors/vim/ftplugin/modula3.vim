" Modula-3: comments, the words that belong together for %, :make as `tenure check`, and :TenureFormat.

if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal commentstring=(*\ %s\ *)
setlocal comments=s:(*,m:\ ,e:*)
setlocal formatoptions-=t formatoptions+=croql
setlocal suffixesadd=.i3,.m3,.ig,.mg
setlocal expandtab shiftwidth=2 softtabstop=2
let b:undo_ftplugin = 'setlocal commentstring< comments< formatoptions< suffixesadd< expandtab<'
      \ . ' shiftwidth< softtabstop< | unlet! b:match_words b:match_ignorecase | delcommand -buffer TenureFormat'
command! -buffer -range=% -bar TenureFormat call tenure#Format(<line1>, <line2>)

" For matchit (:packadd matchit).
let b:match_ignorecase = 0
let b:match_words = '\<\%(BEGIN\|IF\|CASE\|TYPECASE\|WHILE\|WITH\|LOCK\|LOOP\|TRY\|RECORD\|OBJECT\'
      \ . '|\%(BITS\s\+\w\+\s\+\)\@<!FOR\)\>'
      \ . ':\<\%(ELSE\|ELSIF\|EXCEPT\|FINALLY\|METHODS\|OVERRIDES\)\>:\<END\>,'
      \ . '\<REPEAT\>:\<UNTIL\>,<\*:\*>'

" Another compiler stays, if one was chosen before.
if !exists('b:current_compiler') && !exists('g:current_compiler')
  compiler tenure
endif
