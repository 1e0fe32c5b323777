// The files of the inspector's page, compiled in as they are: `#embed` (C23; clang has it in all modes since 19) needs no
// tool and no copy, and the compiler notices a changed file. PageBundle.swift joins them.

#include "CInspectorPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t api_pair_js[] = {
#embed "../TrafficInspector/Web/api-pair.js"
};
static const uint8_t api_js[] = {
#embed "../TrafficInspector/Web/api.js"
};
static const uint8_t apis_js[] = {
#embed "../TrafficInspector/Web/apis.js"
};
static const uint8_t app_js[] = {
#embed "../TrafficInspector/Web/app.js"
};
static const uint8_t base_css[] = {
#embed "../TrafficInspector/Web/base.css"
};
static const uint8_t body_views_js[] = {
#embed "../TrafficInspector/Web/body-views.js"
};
static const uint8_t chinese_server_js[] = {
#embed "../TrafficInspector/Web/chinese-server.js"
};
static const uint8_t chinese_js[] = {
#embed "../TrafficInspector/Web/chinese.js"
};
static const uint8_t body_js[] = {
#embed "../TrafficInspector/Web/body.js"
};
static const uint8_t colours_css[] = {
#embed "../TrafficInspector/Web/colours.css"
};
static const uint8_t compare_js[] = {
#embed "../TrafficInspector/Web/compare.js"
};
static const uint8_t connections_js[] = {
#embed "../TrafficInspector/Web/connections.js"
};
static const uint8_t contents_js[] = {
#embed "../TrafficInspector/Web/contents.js"
};
static const uint8_t copies_js[] = {
#embed "../TrafficInspector/Web/copies.js"
};
static const uint8_t delta_js[] = {
#embed "../TrafficInspector/Web/delta.js"
};
static const uint8_t detail_css[] = {
#embed "../TrafficInspector/Web/detail.css"
};
static const uint8_t detail_js[] = {
#embed "../TrafficInspector/Web/detail.js"
};
static const uint8_t directions_js[] = {
#embed "../TrafficInspector/Web/directions.js"
};
static const uint8_t divider_js[] = {
#embed "../TrafficInspector/Web/divider.js"
};
static const uint8_t dom_js[] = {
#embed "../TrafficInspector/Web/dom.js"
};
static const uint8_t files_js[] = {
#embed "../TrafficInspector/Web/files.js"
};
static const uint8_t filters_js[] = {
#embed "../TrafficInspector/Web/filters.js"
};
static const uint8_t findings_js[] = {
#embed "../TrafficInspector/Web/findings.js"
};
static const uint8_t format_js[] = {
#embed "../TrafficInspector/Web/format.js"
};
static const uint8_t groups_js[] = {
#embed "../TrafficInspector/Web/groups.js"
};
static const uint8_t heads_js[] = {
#embed "../TrafficInspector/Web/heads.js"
};
static const uint8_t help_js[] = {
#embed "../TrafficInspector/Web/help.js"
};
static const uint8_t icon_svg[] = {
#embed "../TrafficInspector/Web/icon.svg"
};
static const uint8_t index_html[] = {
#embed "../TrafficInspector/Web/index.html"
};
static const uint8_t inter_400_woff2[] = {
#embed "../TrafficInspector/Web/inter-400.woff2"
};
static const uint8_t inter_600_woff2[] = {
#embed "../TrafficInspector/Web/inter-600.woff2"
};
static const uint8_t mono_400_woff2[] = {
#embed "../TrafficInspector/Web/mono-400.woff2"
};
static const uint8_t indent_js[] = {
#embed "../TrafficInspector/Web/indent.js"
};
static const uint8_t jwt_js[] = {
#embed "../TrafficInspector/Web/jwt.js"
};
static const uint8_t ledger_js[] = {
#embed "../TrafficInspector/Web/ledger.js"
};
static const uint8_t limits_js[] = {
#embed "../TrafficInspector/Web/limits.js"
};
static const uint8_t list_css[] = {
#embed "../TrafficInspector/Web/list.css"
};
static const uint8_t list_js[] = {
#embed "../TrafficInspector/Web/list.js"
};
static const uint8_t matching_js[] = {
#embed "../TrafficInspector/Web/matching.js"
};
static const uint8_t messages_server_js[] = {
#embed "../TrafficInspector/Web/messages-server.js"
};
static const uint8_t messages_js[] = {
#embed "../TrafficInspector/Web/messages.js"
};
static const uint8_t news_js[] = {
#embed "../TrafficInspector/Web/news.js"
};
static const uint8_t overview_js[] = {
#embed "../TrafficInspector/Web/overview.js"
};
static const uint8_t pair_js[] = {
#embed "../TrafficInspector/Web/pair.js"
};
static const uint8_t paths_js[] = {
#embed "../TrafficInspector/Web/paths.js"
};
static const uint8_t pages_css[] = {
#embed "../TrafficInspector/Web/pages.css"
};
static const uint8_t phases_js[] = {
#embed "../TrafficInspector/Web/phases.js"
};
static const uint8_t place_js[] = {
#embed "../TrafficInspector/Web/place.js"
};
static const uint8_t rows_js[] = {
#embed "../TrafficInspector/Web/rows.js"
};
static const uint8_t sentences_js[] = {
#embed "../TrafficInspector/Web/sentences.js"
};
static const uint8_t server_english_js[] = {
#embed "../TrafficInspector/Web/server-english.js"
};
static const uint8_t saved_css[] = {
#embed "../TrafficInspector/Web/saved.css"
};
static const uint8_t sizes_js[] = {
#embed "../TrafficInspector/Web/sizes.js"
};
static const uint8_t sums_js[] = {
#embed "../TrafficInspector/Web/sums.js"
};
static const uint8_t texts_js[] = {
#embed "../TrafficInspector/Web/texts.js"
};
static const uint8_t start_js[] = {
#embed "../TrafficInspector/Web/start.js"
};
static const uint8_t timeline_js[] = {
#embed "../TrafficInspector/Web/timeline.js"
};
static const uint8_t tree_js[] = {
#embed "../TrafficInspector/Web/tree.js"
};
static const uint8_t actions_js[] = {
#embed "../TrafficInspector/Web/actions.js"
};
static const uint8_t chosen_js[] = {
#embed "../TrafficInspector/Web/chosen.js"
};
static const uint8_t column_handles_js[] = {
#embed "../TrafficInspector/Web/column-handles.js"
};
static const uint8_t columns_js[] = {
#embed "../TrafficInspector/Web/columns.js"
};
static const uint8_t commands_js[] = {
#embed "../TrafficInspector/Web/commands.js"
};
static const uint8_t completion_js[] = {
#embed "../TrafficInspector/Web/completion.js"
};
static const uint8_t filter_terms_js[] = {
#embed "../TrafficInspector/Web/filter-terms.js"
};
static const uint8_t legs_js[] = {
#embed "../TrafficInspector/Web/legs.js"
};
static const uint8_t line_js[] = {
#embed "../TrafficInspector/Web/line.js"
};
static const uint8_t marks_js[] = {
#embed "../TrafficInspector/Web/marks.js"
};
static const uint8_t menus_js[] = {
#embed "../TrafficInspector/Web/menus.js"
};
static const uint8_t mistake_js[] = {
#embed "../TrafficInspector/Web/mistake.js"
};
static const uint8_t note_js[] = {
#embed "../TrafficInspector/Web/note.js"
};
static const uint8_t other_pages_js[] = {
#embed "../TrafficInspector/Web/other-pages.js"
};
static const uint8_t palette_js[] = {
#embed "../TrafficInspector/Web/palette.js"
};
static const uint8_t repeats_js[] = {
#embed "../TrafficInspector/Web/repeats.js"
};
static const uint8_t selection_js[] = {
#embed "../TrafficInspector/Web/selection.js"
};
static const uint8_t suggest_js[] = {
#embed "../TrafficInspector/Web/suggest.js"
};
static const uint8_t tools_css[] = {
#embed "../TrafficInspector/Web/tools.css"
};
static const uint8_t treemap_js[] = {
#embed "../TrafficInspector/Web/treemap.js"
};

#define FILE(name, bytes) {name, bytes, sizeof bytes}

static const wwp_file files[] = {
    FILE("api-pair.js", api_pair_js),
    FILE("api.js", api_js),
    FILE("apis.js", apis_js),
    FILE("app.js", app_js),
    FILE("base.css", base_css),
    FILE("body-views.js", body_views_js),
    FILE("chinese-server.js", chinese_server_js),
    FILE("chinese.js", chinese_js),
    FILE("body.js", body_js),
    FILE("colours.css", colours_css),
    FILE("compare.js", compare_js),
    FILE("connections.js", connections_js),
    FILE("contents.js", contents_js),
    FILE("copies.js", copies_js),
    FILE("delta.js", delta_js),
    FILE("detail.css", detail_css),
    FILE("detail.js", detail_js),
    FILE("directions.js", directions_js),
    FILE("divider.js", divider_js),
    FILE("dom.js", dom_js),
    FILE("files.js", files_js),
    FILE("filters.js", filters_js),
    FILE("findings.js", findings_js),
    FILE("format.js", format_js),
    FILE("groups.js", groups_js),
    FILE("heads.js", heads_js),
    FILE("help.js", help_js),
    FILE("icon.svg", icon_svg),
    FILE("index.html", index_html),
    FILE("indent.js", indent_js),
    FILE("jwt.js", jwt_js),
    FILE("ledger.js", ledger_js),
    FILE("limits.js", limits_js),
    FILE("list.css", list_css),
    FILE("list.js", list_js),
    FILE("matching.js", matching_js),
    FILE("messages-server.js", messages_server_js),
    FILE("messages.js", messages_js),
    FILE("news.js", news_js),
    FILE("overview.js", overview_js),
    FILE("pair.js", pair_js),
    FILE("paths.js", paths_js),
    FILE("pages.css", pages_css),
    FILE("phases.js", phases_js),
    FILE("place.js", place_js),
    FILE("rows.js", rows_js),
    FILE("sentences.js", sentences_js),
    FILE("server-english.js", server_english_js),
    FILE("saved.css", saved_css),
    FILE("sizes.js", sizes_js),
    FILE("sums.js", sums_js),
    FILE("texts.js", texts_js),
    FILE("start.js", start_js),
    FILE("timeline.js", timeline_js),
    FILE("tree.js", tree_js),
    FILE("inter-400.woff2", inter_400_woff2),
    FILE("inter-600.woff2", inter_600_woff2),
    FILE("mono-400.woff2", mono_400_woff2),
    FILE("treemap.js", treemap_js),
    FILE("actions.js", actions_js),
    FILE("chosen.js", chosen_js),
    FILE("column-handles.js", column_handles_js),
    FILE("columns.js", columns_js),
    FILE("commands.js", commands_js),
    FILE("completion.js", completion_js),
    FILE("filter-terms.js", filter_terms_js),
    FILE("legs.js", legs_js),
    FILE("line.js", line_js),
    FILE("marks.js", marks_js),
    FILE("menus.js", menus_js),
    FILE("mistake.js", mistake_js),
    FILE("note.js", note_js),
    FILE("other-pages.js", other_pages_js),
    FILE("palette.js", palette_js),
    FILE("repeats.js", repeats_js),
    FILE("selection.js", selection_js),
    FILE("suggest.js", suggest_js),
    FILE("tools.css", tools_css),
};

const wwp_file *wwp_files(size_t *count) {
    *count = sizeof files / sizeof *files;
    return files;
}
