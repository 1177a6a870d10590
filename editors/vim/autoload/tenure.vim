" :TenureFormat lays out the buffer, or the lines of a range, by `tenure fmt`.

" Changes nothing if the source does not parse; then the quickfix list says why.
function! tenure#Format(first, last) abort
  let l:range = a:first == 1 && a:last == line('$') ? '' : '--range ' . a:first . ':' . a:last . ' '
  let l:errors = tempname()
  let l:after = systemlist(get(g:, 'tenure_path', 'tenure') . ' fmt ' . l:range . '- 2>' . shellescape(l:errors),
        \ getline(1, '$'))
  let l:status = v:shell_error
  let l:messages = filereadable(l:errors) ? readfile(l:errors) : []
  call delete(l:errors)
  if l:status != 0
    call setqflist(map(l:messages, {_, line -> tenure#Entry(line)}))
    echohl ErrorMsg | echomsg 'tenure fmt changed nothing: see :copen' | echohl None
    return
  endif
  if l:after ==# getline(1, '$') | return | endif
  let l:view = winsaveview()
  if line('$') > len(l:after)
    silent execute len(l:after) + 1 . ',$delete _'
  endif
  call setline(1, l:after)
  call winrestview(l:view)
endfunction

" A line of the messages, as an entry of the quickfix list. The file is `-`: standard input.
function! tenure#Entry(line) abort
  let l:parts = matchlist(a:line, '^-:\(\d\+\):\(\d\+\): \(.*\)$')
  if empty(l:parts) | return {'text': a:line} | endif
  return {'bufnr': bufnr('%'), 'lnum': str2nr(l:parts[1]), 'col': str2nr(l:parts[2]), 'text': l:parts[3]}
endfunction
