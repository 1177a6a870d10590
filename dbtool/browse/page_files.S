// The page's files: ours, and D3 of Debian's package node-d3 with its licence.

        .section .rodata
        .globl  tn_page_index, tn_page_index_end
tn_page_index:
        .incbin "dbtool/browse/page/index.html"
tn_page_index_end:
        .globl  tn_page_style, tn_page_style_end
tn_page_style:
        .incbin "dbtool/browse/page/style.css"
tn_page_style_end:
        .globl  tn_page_icon, tn_page_icon_end
tn_page_icon:
        .incbin "dbtool/browse/page/icon.svg"
tn_page_icon_end:
        .globl  tn_page_app, tn_page_app_end
tn_page_app:
        .incbin "dbtool/browse/page/app.js"
tn_page_app_end:
        .globl  tn_page_base, tn_page_base_end
tn_page_base:
        .incbin "dbtool/browse/page/base.js"
tn_page_base_end:
        .globl  tn_page_charts, tn_page_charts_end
tn_page_charts:
        .incbin "dbtool/browse/page/charts.js"
tn_page_charts_end:
        .globl  tn_page_store_views, tn_page_store_views_end
tn_page_store_views:
        .incbin "dbtool/browse/page/store_views.js"
tn_page_store_views_end:
        .globl  tn_page_object_views, tn_page_object_views_end
tn_page_object_views:
        .incbin "dbtool/browse/page/object_views.js"
tn_page_object_views_end:
        .globl  tn_page_page_views, tn_page_page_views_end
tn_page_page_views:
        .incbin "dbtool/browse/page/page_views.js"
tn_page_page_views_end:
        .globl  tn_page_query_view, tn_page_query_view_end
tn_page_query_view:
        .incbin "dbtool/browse/page/query_view.js"
tn_page_query_view_end:
        .globl  tn_page_d3, tn_page_d3_end
tn_page_d3:
        .incbin "/usr/share/nodejs/d3/dist/d3.min.js"
tn_page_d3_end:
        .globl  tn_page_d3_licence, tn_page_d3_licence_end
tn_page_d3_licence:
        .incbin "/usr/share/doc/node-d3/copyright"
tn_page_d3_licence_end:

        .section .note.GNU-stack, "", @progbits
