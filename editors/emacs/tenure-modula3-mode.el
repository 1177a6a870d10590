;;; tenure-modula3-mode.el --- Modula-3 with the extensions of Tenure  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "26.1"))
;; Keywords: languages

;;; Commentary:

;; A major mode for .m3, .i3, .mg and .ig files: colours, nested comments, indentation, imenu, and
;; `compile' with `tenure check'.  To install it:
;;
;;   (add-to-list 'load-path "/path/to/tenure/editors/emacs")
;;   (require 'tenure-modula3-mode)
;;
;; The words are those of compiler/lex/tokens.def; a test compares them.

;;; Code:

(require 'compile)

(defgroup tenure-modula3 nil
  "Modula-3 with the extensions of Tenure."
  :group 'languages)

(defcustom tenure-modula3-indent 2
  "Blanks of a step of indentation."
  :type 'integer
  :safe #'integerp)

;;; Words

(defconst tenure-modula3-keywords
  '("AND" "ANY" "ARRAY" "AS" "BEGIN" "BITS" "BRANDED" "BY" "CASE" "CONST" "DIV" "DO" "ELSE" "ELSIF"
    "END" "EVAL" "EXCEPT" "EXCEPTION" "EXIT" "EXPORTS" "FINALLY" "FOR" "FROM" "GENERIC" "IF" "IMPORT"
    "IN" "INTERFACE" "LOCK" "LOOP" "METHODS" "MOD" "MODULE" "NOT" "OBJECT" "OF" "OR" "OVERRIDES"
    "PROCEDURE" "RAISE" "RAISES" "READONLY" "RECORD" "REF" "REPEAT" "RETURN" "REVEAL" "ROOT" "SET"
    "THEN" "TO" "TRY" "TYPE" "TYPECASE" "UNSAFE" "UNTIL" "UNTRACED" "VALUE" "VAR" "WHILE" "WITH")
  "Keywords (docs/language.md, 1.3).")

(defconst tenure-modula3-types
  '("ADDRESS" "BOOLEAN" "CARDINAL" "CHAR" "EXTENDED" "INTEGER" "LONGCARD" "LONGINT" "LONGREAL" "MUTEX"
    "NULL" "REAL" "REFANY" "TEXT" "WIDECHAR")
  "Types that the language declares (docs/language.md, 1.4).")

(defconst tenure-modula3-constants '("FALSE" "NIL" "TRUE")
  "Constants that the language declares.")

(defconst tenure-modula3-builtins
  '("ABS" "ADR" "ADRSIZE" "BITSIZE" "BYTESIZE" "CEILING" "DEC" "DISPOSE" "FIRST" "FLOAT" "FLOOR" "INC"
    "ISTYPE" "LAST" "LOOPHOLE" "MAX" "MIN" "NARROW" "NEW" "NUMBER" "ORD" "ROUND" "SUBARRAY" "TRUNC"
    "TYPECODE" "VAL")
  "Operations that the language declares.")

(defconst tenure-modula3-pragmas
  '("APIENTRY" "APIPRIVATE" "ASSERT" "C" "CALLBACK" "DEBUG" "EXTERNAL" "FATAL" "IMPLICIT" "INLINE"
    "LIBRARY" "OBSOLETE" "PASCAL" "TRACE" "TRANSIENT" "UNUSED" "WINAPI" "WINAPIV" "__cdecl" "__stdcall")
  "Words of pragmas whose contents are code.")

;;; Syntax and colours

(defvar tenure-modula3-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?\( "()1n" table)
    (modify-syntax-entry ?\) ")(4n" table)
    (modify-syntax-entry ?* ". 23n" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?\\ "\\" table)
    (modify-syntax-entry ?_ "w" table)
    (dolist (operator '(?+ ?- ?/ ?& ?< ?> ?= ?# ?^ ?. ?| ?, ?\; ?: ?'))
      (modify-syntax-entry operator "." table))
    table)
  "Syntax of Modula-3: comments nest.")

(eval-and-compile
  (defconst tenure-modula3--character
    "\\('\\)\\(?:[^'\\\n]\\|\\\\[^0-7XxU\n]\\|\\\\[0-7]+\\|\\\\[XxU][[:xdigit:]]+\\)\\('\\)"
    "A character literal."))

(defconst tenure-modula3--propertize
  (syntax-propertize-rules
   (tenure-modula3--character (1 "\"") (2 "\""))))

(defun tenure-modula3--in-code-p (position)
  "Whether POSITION is neither in a comment nor in a literal."
  (let ((state (save-excursion (syntax-ppss position))))
    (not (or (nth 3 state) (nth 4 state)))))

(defun tenure-modula3--pragma-end (limit)
  "Move from behind `<*' to behind the `*>' that closes it, before LIMIT.
Nested pragmas count.  Return nil if there is none."
  (let ((depth 1))
    (while (and (> depth 0) (re-search-forward "<\\*\\|\\*>" limit 'move))
      (setq depth (if (eq (char-before) ?*) (1+ depth) (1- depth))))
    (= depth 0)))

(defun tenure-modula3--match-skipped-pragma (limit)
  "Find the contents of a pragma that the compiler does not read, up to LIMIT."
  (let (found)
    (while (and (not found) (re-search-forward "<\\*[ \t\n]*\\(\\w*\\)" limit t))
      (let ((begin (match-end 0))
            (word (match-string-no-properties 1)))
        (when (and (not (member word tenure-modula3-pragmas))
                   (tenure-modula3--in-code-p (match-beginning 0)))
          (when (tenure-modula3--pragma-end limit)
            (set-match-data (list begin (- (point) 2)))
            (setq found t)))))
    found))

(defvar tenure-modula3-font-lock-keywords
  `(("\\(<\\*\\)[ \t\n]*\\(\\w*\\)"
     (1 font-lock-preprocessor-face) (2 font-lock-preprocessor-face t))
    ("\\*>" . font-lock-preprocessor-face)
    (tenure-modula3--match-skipped-pragma 0 font-lock-comment-face t)
    ("\\_<PROCEDURE[ \t\n]+\\([[:alpha:]]\\w*\\)" 1 font-lock-function-name-face)
    ("\\_<\\(?:MODULE\\|INTERFACE\\)[ \t\n]+\\([[:alpha:]]\\w*\\)" 1 font-lock-constant-face)
    ("^[ \t]*\\(?:TYPE[ \t]+\\)?\\([[:alpha:]]\\w*\\)[ \t]*\\(?:<:\\|=[ \t]*\\(?:\\w\\|[[{<]\\)[^;]*\\_<\\(?:OBJECT\\|RECORD\\|REF\\|ARRAY\\|SET\\)\\_>\\)"
     1 font-lock-type-face)
    (,(regexp-opt tenure-modula3-keywords 'symbols) . font-lock-keyword-face)
    (,(regexp-opt tenure-modula3-types 'symbols) . font-lock-type-face)
    (,(regexp-opt tenure-modula3-constants 'symbols) . font-lock-constant-face)
    (,(regexp-opt tenure-modula3-builtins 'symbols) . font-lock-builtin-face))
  "Colours of `tenure-modula3-mode'.")

;;; Indentation: the rules of ../vim/indent/modula3.vim

(defconst tenure-modula3--sections '("CONST" "TYPE" "EXCEPTION" "VAR" "REVEAL"))

(defconst tenure-modula3--openers
  '("IF" "WHILE" "FOR" "WITH" "LOCK" "LOOP" "REPEAT" "TRY" "CASE" "TYPECASE" "RECORD" "OBJECT"))

(defconst tenure-modula3--branches
  '("ELSE" "ELSIF" "EXCEPT" "FINALLY" "UNTIL" "|" "METHODS" "OVERRIDES"))

(defconst tenure-modula3--ends
  (append '(";" "THEN" "DO" "ELSE" "BEGIN" "LOOP" "REPEAT" "TRY" "EXCEPT" "FINALLY" "=>" "*>" "OBJECT"
            "RECORD" "METHODS" "OVERRIDES" "|" "")
          tenure-modula3--sections)
  "Tokens behind which a statement, a declaration or a member begins.")

(defconst tenure-modula3--token
  (concat "(\\*\\|<\\*\\|\\*>\\|\"\\|" tenure-modula3--character
          "\\|[[:alpha:]]\\w*\\|[:<=>]+\\|[^ \t\n\f\r]"))

(defvar tenure-modula3--stack nil "What is open: lists of kind, base, and more for brackets.")
(defvar tenure-modula3--previous "" "The token before.")
(defvar tenure-modula3--start nil "Position where the present statement begins, or nil.")

(defun tenure-modula3--kind ()
  "The kind of the innermost open construct."
  (or (car (car tenure-modula3--stack)) ""))

(defun tenure-modula3--base ()
  "The indentation of the innermost open construct."
  (or (nth 1 (car tenure-modula3--stack)) 0))

(defun tenure-modula3--drop-section ()
  "End a section of declarations, and return its indentation."
  (when (equal (tenure-modula3--kind) "section")
    (nth 1 (pop tenure-modula3--stack))))

(defun tenure-modula3--begins-statement-p ()
  "Whether a statement, declaration or member begins at this place."
  (or (member tenure-modula3--previous tenure-modula3--ends)
      (and (equal tenure-modula3--previous "OF") (equal (tenure-modula3--kind) "CASE"))))

(defun tenure-modula3--take-bracket (token begin)
  "Open the bracket TOKEN at BEGIN."
  (push (save-excursion
          (goto-char (1+ begin))
          (skip-chars-forward " \t")
          (list "(" (current-indentation)
                (save-excursion (goto-char begin) (current-column))
                (current-column) (eolp)
                (if (equal token "{") tenure-modula3-indent (* 2 tenure-modula3-indent))))
        tenure-modula3--stack))

(defun tenure-modula3--take-begin ()
  "Open BEGIN: of a procedure, a unit or a block."
  (let ((section (tenure-modula3--drop-section)))
    (if (equal (tenure-modula3--kind) "body")
        (let ((base (tenure-modula3--base)))
          (setcar tenure-modula3--stack (list "procedure" base))
          (push (list "BEGIN" (+ base tenure-modula3-indent)) tenure-modula3--stack))
      (push (list "BEGIN" (or section (current-indentation))) tenure-modula3--stack))))

(defun tenure-modula3--take (token begin)
  "Note the TOKEN at BEGIN; point is behind it."
  (let ((kind (tenure-modula3--kind)))
    (when (tenure-modula3--begins-statement-p)
      (setq tenure-modula3--start begin))
    (cond
     ((member token '("(" "[" "{")) (tenure-modula3--take-bracket token begin))
     ((member token '(")" "]" "}"))
      (while (and tenure-modula3--stack (not (equal (car (pop tenure-modula3--stack)) "(")))))
     ((and (equal token "PROCEDURE") (looking-at "[ \t\n]+[[:alpha:]]") (not (equal kind "(")))
      (tenure-modula3--drop-section)
      (push (list "PROCEDURE" (current-indentation)) tenure-modula3--stack))
     ((and (equal token "=") (equal kind "PROCEDURE"))
      (setcar tenure-modula3--stack (list "body" (tenure-modula3--base))))
     ((and (equal token ";") (equal kind "PROCEDURE")) (pop tenure-modula3--stack))
     ((equal token "BEGIN") (tenure-modula3--take-begin))
     ((and (member token tenure-modula3--sections) (not (equal kind "(")))
      (tenure-modula3--drop-section)
      (push (list "section" (current-indentation)) tenure-modula3--stack))
     ((and (equal token "FOR") (not (tenure-modula3--begins-statement-p))))  ; BITS n FOR T
     ((member token tenure-modula3--openers)
      (push (list (if (equal token "TYPECASE") "CASE" token) (current-indentation))
            tenure-modula3--stack))
     ((equal token "END")
      (tenure-modula3--drop-section)
      (pop tenure-modula3--stack)
      (when (equal (tenure-modula3--kind) "procedure") (pop tenure-modula3--stack)))
     ((and (equal token "UNTIL") (equal kind "REPEAT")) (pop tenure-modula3--stack)))
    (setq tenure-modula3--previous token)))

(defun tenure-modula3--scan (begin end)
  "Read the tokens from BEGIN to END.
Return nil if END is in a comment, pragma or text."
  (goto-char begin)
  (let ((is-code t))
    (while (and is-code (re-search-forward tenure-modula3--token end t))
      (let ((token (match-string-no-properties 0))
            (at (match-beginning 0)))
        (cond
         ((equal token "(*")
          (goto-char at)
          (setq is-code (and (forward-comment 1) (<= (point) end))))
         ((equal token "<*")
          (let ((is-statement (looking-at "[ \t]*\\(?:ASSERT\\|DEBUG\\)\\_>")))
            (setq is-code (tenure-modula3--pragma-end end))
            (when is-statement (setq tenure-modula3--previous "*>"))))
         ((equal token "\"")
          (goto-char at)
          (setq is-code (condition-case nil (progn (forward-sexp) (<= (point) end)) (error nil)))
          (setq tenure-modula3--previous token))
         (t (tenure-modula3--take token at)))))
    is-code))

(defun tenure-modula3--to-code ()
  "Move over pragmas in front of the code of this line."
  (back-to-indentation)
  (let ((is-there t))
    (while (and is-there (looking-at "<\\*") (not (looking-at "<\\*[ \t]*\\(?:ASSERT\\|DEBUG\\)\\_>")))
      (let ((begin (point)))
        (forward-char 2)
        (if (and (tenure-modula3--pragma-end (line-end-position))
                 (progn (skip-chars-forward " \t") (not (eolp))))
            t
          (goto-char begin)
          (setq is-there nil))))))

(defun tenure-modula3--to-described ()
  "Move from a comment on a line of its own to the declaration behind it.
A pragma counts as a comment here."
  (tenure-modula3--to-code)
  (let ((start (point)))
    (while (and (not (eobp))
                (looking-at "(\\*\\|<\\*")
                (not (looking-at "<\\*[ \t]*\\(?:ASSERT\\|DEBUG\\)\\_>")))
      (if (looking-at "(\\*")
          (unless (forward-comment 1) (goto-char (point-max)))
        (forward-char 2)
        (unless (tenure-modula3--pragma-end nil) (goto-char (point-max))))
      (skip-chars-forward " \t\n\f\r"))
    (unless (looking-at
             "PROCEDURE[ \t\n]+[[:alpha:]]\\|\\(?:BEGIN\\|CONST\\|TYPE\\|EXCEPTION\\|VAR\\|REVEAL\\)\\_>")
      (goto-char start))))

(defun tenure-modula3--continued-column ()
  "The column for a line that goes on with a statement."
  (save-excursion
    (goto-char tenure-modula3--start)
    (let ((column (current-column))
          (case-fold-search nil))
      (cond
       ((looking-at "\\(?:RETURN\\|EVAL\\|IF\\|ELSIF\\|WHILE\\|UNTIL\\|WITH\\)[ \t]+")
        (+ column (- (match-end 0) (match-beginning 0))))
       ((looking-at "[^(\":\n]*:=[ \t]+[^ \t\n]")
        (+ column (- (match-end 0) (match-beginning 0) 1)))
       (t (+ column (* 2 tenure-modula3-indent)))))))

(defun tenure-modula3--column-at-code ()
  "The column for the code at point, when all before it has been read."
  (let* ((first (and (looking-at "[[:alpha:]]\\w*\\|[])}|]") (match-string-no-properties 0)))
         (begins (or (member first (append '("END" "BEGIN") tenure-modula3--sections))
                     (looking-at "PROCEDURE[ \t\n]+[[:alpha:]]")))
         (section (and begins
                       (not (equal (tenure-modula3--kind) "("))
                       (tenure-modula3--drop-section)))
         (kind (tenure-modula3--kind))
         (base (tenure-modula3--base)))
    (cond
     ((and (equal first "BEGIN") section (not (equal kind "body"))) section)
     ((or (equal first "END") (member first tenure-modula3--branches)) base)
     ((equal kind "(")
      (pcase-let ((`(,_ ,_ ,opening ,column ,is-last ,step) (car tenure-modula3--stack)))
        (cond ((member first '(")" "]" "}")) (if is-last base opening))
              (is-last (+ base step))
              (t column))))
     ((and tenure-modula3--start
           (not (tenure-modula3--begins-statement-p))
           (not (member kind '("PROCEDURE" "body" "procedure" ""))))
      (tenure-modula3--continued-column))
     ((equal kind "")
      (if (and tenure-modula3--start
               (not (equal tenure-modula3--previous ";"))
               (save-excursion
                 (goto-char tenure-modula3--start)
                 (looking-at "\\(?:IMPORT\\|FROM\\|MODULE\\)\\_>")))
          tenure-modula3-indent
        0))
     (t (+ base tenure-modula3-indent)))))

(defun tenure-modula3--column ()
  "The column for this line, or nil if it begins in a comment, pragma or text."
  (save-excursion
    (beginning-of-line)
    (let ((end (point))
          (case-fold-search nil)
          (tenure-modula3--stack nil)
          (tenure-modula3--previous "")
          (tenure-modula3--start nil))
      (unless (re-search-backward
               "^\\(?:PROCEDURE\\|CONST\\|TYPE\\|EXCEPTION\\|VAR\\|REVEAL\\|MODULE\\|INTERFACE\\)\\_>" nil t)
        (goto-char (point-min)))
      (when (tenure-modula3--scan (point) end)
        (goto-char end)
        (tenure-modula3--to-described)
        (tenure-modula3--column-at-code)))))

(defun tenure-modula3-indent-line ()
  "Indent this line."
  (interactive)
  (let ((column (tenure-modula3--column)))
    (if (null column)
        'noindent
      (if (<= (current-column) (current-indentation))
          (indent-line-to column)
        (save-excursion (indent-line-to column))))))

;;; Errors of `tenure check'

(defconst tenure-modula3-error-regexp
  '(tenure
    "^\\(.+?\\):\\([0-9]+\\):\\([0-9]+\\): \\(?:error\\|\\(warning\\)\\|\\(note\\|fix\\)\\)\\(?:\\[\\w+\\]\\)?: "
    1 2 3 (4 . 5))
  "An entry of `compilation-error-regexp-alist-alist'.")

(add-to-list 'compilation-error-regexp-alist-alist tenure-modula3-error-regexp)
(add-to-list 'compilation-error-regexp-alist 'tenure)

(defun tenure-modula3--package ()
  "The folder of the package that this buffer's file belongs to."
  (let ((folder (or (locate-dominating-file default-directory "tenure.toml")
                    (locate-dominating-file default-directory "m3makefile")
                    (locate-dominating-file default-directory "src/m3makefile")
                    default-directory)))
    (if (string-match "/src/\\'" folder)
        (file-name-directory (directory-file-name folder))
      folder)))

(defun tenure-modula3-check ()
  "Run `tenure check' on the package of this buffer's file."
  (interactive)
  (let ((default-directory (tenure-modula3--package)))
    (compile "tenure check --color never")))

;;; Layout by `tenure fmt'

(defun tenure-modula3-format (&optional first last)
  "Lay out this buffer by `tenure fmt', or only the lines from FIRST to LAST.
Interactively, the lines of the region if there is one.  Changes nothing
if the source does not parse, and shows why."
  (interactive
   (when (use-region-p)
     (list (line-number-at-pos (region-beginning)) (line-number-at-pos (region-end)))))
  (let ((errors (make-temp-file "tenure-fmt"))
        (output (generate-new-buffer " *tenure fmt*"))
        (words (append '("fmt") (when first (list "--range" (format "%d:%d" first last))) '("-"))))
    (unwind-protect
        (if (zerop (apply #'call-process-region (point-min) (point-max) "tenure" nil
                          (list output errors) nil words))
            (replace-buffer-contents output)
          (with-current-buffer (get-buffer-create "*tenure fmt errors*")
            (let ((inhibit-read-only t))
              (erase-buffer)
              (insert-file-contents errors))
            (display-buffer (current-buffer)))
          (message "tenure fmt changed nothing"))
      (kill-buffer output)
      (delete-file errors))))

;;; The mode

(defvar tenure-modula3-imenu
  '((nil "^[ \t]*\\(?:<\\*.*?\\*>[ \t]*\\)*PROCEDURE[ \t\n]+\\([[:alpha:]]\\w*\\)" 1)
    ("Types" "^[ \t]*\\(?:TYPE[ \t]+\\)?\\([[:alpha:]]\\w*\\)[ \t]*\\(?:<:\\|=.*\\_<\\(?:OBJECT\\|RECORD\\|REF\\)\\_>\\)" 1)
    ("Exceptions" "^[ \t]*EXCEPTION[ \t\n]+\\([[:alpha:]]\\w*\\)" 1))
  "What `imenu' lists.")

(defvar tenure-modula3-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'tenure-modula3-check)
    (define-key map (kbd "C-c C-f") #'tenure-modula3-format)
    map)
  "Keys of `tenure-modula3-mode'.")

;;;###autoload
(define-derived-mode tenure-modula3-mode prog-mode "Modula-3"
  "A mode for Modula-3 with the extensions of Tenure."
  (setq-local comment-start "(* ")
  (setq-local comment-end " *)")
  (setq-local comment-start-skip "(\\*+[ \t]*")
  (setq-local comment-end-skip "[ \t]*\\*+)")
  (setq-local parse-sexp-ignore-comments t)
  (setq-local indent-tabs-mode nil)
  (setq-local syntax-propertize-function tenure-modula3--propertize)
  (setq-local font-lock-defaults '(tenure-modula3-font-lock-keywords))
  (setq-local font-lock-multiline t)
  (setq-local indent-line-function #'tenure-modula3-indent-line)
  (setq-local imenu-generic-expression tenure-modula3-imenu)
  (setq-local imenu-case-fold-search nil)
  (setq-local electric-indent-chars (append '(?\; ?|) electric-indent-chars))
  (setq-local compile-command "tenure check --color never"))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.[im]3\\'" . tenure-modula3-mode))
;;;###autoload
(add-to-list 'auto-mode-alist '("\\.[im]g\\'" . tenure-modula3-mode))

(provide 'tenure-modula3-mode)

;;; tenure-modula3-mode.el ends here
