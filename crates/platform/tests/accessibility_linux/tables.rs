//! Tables of web pages: which row is read.

use super::*;

/// Markup of each table and the expected rows. Each table starts 180 px below the previous one.
const TABLES: [(&str, &str, &[[&str; 2]]); 5] = [
    ("plain", "<tr><th>이름<th>값<tr><td>하나<td>1<tr><td>둘<td>2", &[["이름", "값"], ["하나", "1"], ["둘", "2"]]),
    (
        "caption",
        "<caption>표 제목</caption><tr><th>이름<th>값<tr><td>셋<td>3<tr><td>넷<td>4",
        &[["이름", "값"], ["셋", "3"], ["넷", "4"]],
    ),
    (
        "caption and parts",
        "<caption>둘째 <b>제목</b></caption><thead><tr><th>이름<th>값</thead><tbody><tr><td>다섯<td>5<tr><td>여섯<td>6</tbody>\
         <tfoot><tr><td>합<td>11</tfoot>",
        &[["이름", "값"], ["다섯", "5"], ["여섯", "6"], ["합", "11"]],
    ),
    (
        "caption below",
        "<caption style='caption-side:bottom'>아래</caption><tr><td>일곱<td>7<tr><td>여덟<td>8",
        &[["일곱", "7"], ["여덟", "8"]],
    ),
    (
        "emphasis in a cell",
        "<caption>강조</caption><tr><td>총액<td><strong>30,000</strong>원<tr><td>할인<td>-<em>5,000</em>원",
        &[["총액", "30,000원"], ["할인", "-5,000원"]],
    ),
];

// OCR-4, ANN-3
#[tokio::test(flavor = "multi_thread")]
async fn the_row_of_a_cell_is_its_own_whatever_else_the_table_has_ocr_4_ann_3() {
    let _desk = desk().await;
    let tree = AtSpi::new();
    let mut html = String::from(
        "<!doctype html><meta charset=utf-8><title>Luna tables</title><style>body{margin:0;font:16px/20px sans-serif}\
         table{position:absolute;left:20px;border-spacing:0}td,th{height:26px;width:120px;padding:0}caption{height:24px}</style>",
    );
    for (index, (_, table, _)) in TABLES.iter().enumerate() {
        html += &format!("<table style='top:{}px'>{table}</table>", 10 + 180 * index);
    }
    let page = std::env::temp_dir().join(format!("luna-tables-{}.html", std::process::id()));
    std::fs::write(&page, html).unwrap();
    let mut browser = Browser::open(&page, "100,20", "700,980");
    inline::wait_for_text(&mut browser, &tree, "Luna tables", "할인").await;
    let window = tree.window_at(browser.at(60, 60)).await.unwrap().unwrap();
    let lines = tree.window_lines(&window).await.unwrap().lines;
    for (what, _, rows) in TABLES {
        for (number, row) in rows.iter().enumerate() {
            for text in row {
                // The same column names occur in several tables.
                if matches!(*text, "이름" | "값") {
                    continue;
                }
                let place = lines.iter().find(|line| line.text == *text).unwrap_or_else(|| panic!("{text}: {lines:?}"));
                let cell = element(&tree, text, place.bbox.center()).await;
                assert_eq!((cell.role, cell.text.as_str()), (Role::Cell, *text), "{what}");
                let cell_place = cell.properties.cell.unwrap_or_else(|| panic!("{what}, {text} has no place"));
                let column = u32::from(row[1] == *text);
                let has_header = rows[0][0] == "이름";
                let header = if has_header { rows[0][column as usize] } else { "" };
                assert_eq!(
                    (
                        cell_place.row as usize + usize::from(has_header),
                        cell_place.column,
                        cell_place.column_header.as_str()
                    ),
                    (number, column, header),
                    "{what}, {text}"
                );
                let table = super::rows(&tree, text, place.bbox.center(), RowsExtent::Container).await;
                assert_eq!(table.rows, rows.to_vec(), "{what}, {text}");
                assert_eq!(table.row, Some(number), "{what}, {text}");
                assert_eq!(table.has_header, has_header, "{what}, {text}");
            }
        }
    }
    std::fs::remove_file(page).unwrap();
}
