//! What fields contain: values, placeholders, emptiness, protection (ANN-1, ANN-4, PIC-5).

use super::*;

// ANN-1
#[test]
fn values_are_said_as_people_say_them_ann_1() {
    #[track_caller]
    fn check(role: Role, now: f64, min: f64, max: f64, text: &str, expect: &str) {
        let element = element(role, "").labelled("Size").value(now, min, max, text);
        let said = said(&element, Verbosity::Normal, Lang::En);
        assert_eq!(said.rsplit(", ").next().unwrap(), expect, "{role:?} {now} of {min}..{max} {text:?}");
    }
    use Role::{ProgressBar, ScrollBar, Slider, SpinButton};
    check(Slider, 40.0, 0.0, 100.0, "", "40 percent");
    check(Slider, 0.4, 0.0, 1.0, "", "40 percent");
    check(Slider, 4.0, 0.0, 10.0, "", "4");
    check(Slider, 1999.0, 1900.0, 2100.0, "", "1999");
    check(Slider, 0.25, -1.0, 1.0, "", "0.25");
    check(Slider, 7.0, 0.0, 0.0, "", "7");
    // The application's own words.
    check(Slider, 4.0, 0.0, 10.0, "loud", "loud");
    check(Slider, 40.0, 0.0, 100.0, "40 %", "40 percent");
    check(Slider, 40.0, 0.0, 100.0, "40.5%", "40.5 percent");
    check(ProgressBar, 3.0, 0.0, 12.0, "", "25 percent");
    check(ScrollBar, 300.0, 100.0, 500.0, "", "50 percent");
    check(SpinButton, 3.0, 0.0, 100.0, "", "3");
    check(SpinButton, -0.001, -1.0, 1.0, "", "0");
    check(SpinButton, 2.50, 0.0, 9.0, "", "2.5");
    check(Slider, f64::NAN, 0.0, 100.0, "", "slider");
    check(ProgressBar, f64::INFINITY, 0.0, 100.0, "", "progress bar");
}

// ANN-1
#[test]
fn a_value_is_said_once_wherever_the_toolkit_writes_it_ann_1() {
    use Role::{ProgressBar, Slider, SpinButton};
    // The text is the name, the number, or both.
    let named = element(Slider, "밝기").value(40.0, 0.0, 100.0, "");
    check(&named, "밝기, 슬라이더, 40 퍼센트", "밝기, slider, 40 percent");
    let both = element(Slider, "밝기: 40").value(40.0, 0.0, 100.0, "");
    check(&both, "밝기, 슬라이더, 40 퍼센트", "밝기, slider, 40 percent");
    let number = element(Slider, "40").labelled("밝기").value(40.0, 0.0, 100.0, "");
    check(&number, "밝기, 슬라이더, 40 퍼센트", "밝기, slider, 40 percent");
    let percent = element(ProgressBar, "40 %").value(40.0, 0.0, 100.0, "40 %");
    check(&percent, "진행률 표시줄, 40 퍼센트", "progress bar, 40 percent");
    let unit = element(SpinButton, "12 px").labelled("글꼴 크기").value(12.0, 1.0, 99.0, "");
    check(&unit, "글꼴 크기, 스핀 버튼, 12 px", "글꼴 크기, spin button, 12 px");
    let name = element(SpinButton, "글꼴 크기").value(12.0, 1.0, 99.0, "");
    check(&name, "글꼴 크기, 스핀 버튼, 12", "글꼴 크기, spin button, 12");
    // Without a number, the text is all there is.
    let text = element(SpinButton, "12").labelled("글꼴 크기");
    check(&text, "글꼴 크기, 스핀 버튼, 12", "글꼴 크기, spin button, 12");
    let busy = element(ProgressBar, "").labelled("내려받기").states(&[State::Busy]);
    check(&busy, "내려받기, 진행률 표시줄, 작업 중", "내려받기, progress bar, busy");
}

// ANN-1, ANN-4
#[test]
fn an_empty_field_says_so_and_only_then_its_placeholder_ann_1_ann_4() {
    use Role::{ComboBox, DateField, Edit};
    check(&element(Edit, "").labelled("이름"), "이름, 편집창, 비어 있음", "이름, edit, blank");
    check(&element(Edit, " \n").labelled("이름:"), "이름, 편집창, 비어 있음", "이름, edit, blank");
    let hint = element(Edit, "").labelled("이름").placeholder("예: 홍길동");
    check(&hint, "이름, 편집창, 비어 있음, 예: 홍길동", "이름, edit, blank, 예: 홍길동");
    let filled = element(Edit, "김철수").labelled("이름").placeholder("예: 홍길동");
    check(&filled, "이름, 편집창, 김철수", "이름, edit, 김철수");
    // Some toolkits report the placeholder as the text, others as the name.
    let as_text = element(Edit, "예: 홍길동").labelled("이름").placeholder("예: 홍길동");
    check(&as_text, "이름, 편집창, 비어 있음, 예: 홍길동", "이름, edit, blank, 예: 홍길동");
    let as_name = element(Edit, "").placeholder("검색");
    check(&as_name, "검색, 편집창, 비어 있음", "검색, edit, blank");
    check(&element(ComboBox, "").labelled("나라"), "나라, 콤보 상자, 비어 있음", "나라, combo box, blank");
    check(&element(ComboBox, "대한민국").labelled("나라"), "나라, 콤보 상자, 대한민국", "나라, combo box, 대한민국");
    check(&element(DateField, "").labelled("생일"), "생일, 날짜 입력란, 비어 있음", "생일, date edit, blank");
    // A field that contains its label is not empty, and the words are said once.
    check(&element(Edit, "이름").labelled("이름"), "이름, 편집창", "이름, edit");
}

// PIC-5, ANN-2
#[test]
fn a_protected_field_is_told_by_its_label_and_states_alone_pic_5_ann_2() {
    let password = element(Role::Protected, "hunter2")
        .labelled("비밀번호")
        .states(&[State::Required, State::Invalid])
        .value(7.0, 0.0, 9.0, "hunter2")
        .placeholder("8자 이상")
        .error("너무 짧아요");
    let ko = "비밀번호, 보호된 입력란, 필수, 입력 오류, 너무 짧아요";
    check(&password, ko, "비밀번호, protected field, required, invalid entry, 너무 짧아요");
    let by_state = element(Role::Edit, "hunter2").labelled("Password").states(&[State::Protected]);
    check(&by_state, "Password, 보호된 입력란", "Password, protected field");
    assert_eq!(said(&by_state, Verbosity::Brief, Lang::Ko), "Password, 보호된 입력란");
    let nameless = element(Role::Protected, "hunter2").placeholder("비밀번호");
    check(&nameless, "비밀번호, 보호된 입력란", "비밀번호, protected field");
}

// ANN-2
#[test]
fn an_invalid_field_says_why_ann_2() {
    let mail =
        element(Role::Edit, "kim@").labelled("이메일").states(&[State::Invalid]).error("주소가 완전하지 않아요.");
    let ko = "이메일, 편집창, 입력 오류, 주소가 완전하지 않아요. kim@";
    check(&mail, ko, "이메일, edit, invalid entry, 주소가 완전하지 않아요. kim@");
    // The message of a field that is valid again is old.
    let valid = element(Role::Edit, "kim@a.kr").labelled("이메일").error("주소가 완전하지 않아요.");
    check(&valid, "이메일, 편집창, kim@a.kr", "이메일, edit, kim@a.kr");
}
