autocmd BufRead,BufNewFile *.m3,*.i3,*.mg,*.ig setfiletype modula3
