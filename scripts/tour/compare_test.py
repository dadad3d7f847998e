"""Tests of the comparison: python3 scripts/tour/compare_test.py"""

import compare
import tables

WORDS = tables.words()


def check(say, said, language, right, focus=False, **place):
    place = {"say": say, **place}
    result = compare.judge(place, said, language, WORDS, focus)
    assert result["right"] == right, (say, said, result)


def main():
    box = {"name": "알림 받기", "role": "check", "states": ["checked"]}
    check(box, "알림 받기, 확인란, 선택됨", "ko", True)
    check(box, "알림 받기, 확인란, 선택 안 됨", "ko", False)
    check(box, "확인란, 알림 받기, 선택됨", "ko", False)  # the order of ANN-1
    check(box, "알림 받기, check box, checked", "en", True)
    check(box, "알림 받기, check box, not checked", "en", False)
    check(box, "알림 받기, 확인란, 선택됨, 약관 동의", "ko", False)  # another element's text
    check({"name": "이름", "role": "edit", "value": "홍길동"}, "이름, 편집창, 홍길동", "ko", True)
    check({"name": "소리 크기", "role": "slider", "percent": 40}, "소리 크기, 슬라이더, 40 퍼센트", "ko", True)
    check({"name": "소리 크기", "role": "slider", "percent": 40}, "소리 크기, 슬라이더, 400 퍼센트", "ko", False)
    check({"name": "과일", "role": "list_item", "position": "3/8"}, "과일, 목록 항목, 8개 중 3번째", "ko", True)
    check({"name": "과일", "role": "list_item", "position": "3/8"}, "과일, list item, 3 of 8", "en", True)
    check({"name": "결과", "role": "heading", "level": 2}, "결과, 제목 2수준", "ko", True)
    # With the focus, more may be said; what must be said is still a word by itself and no denial.
    check({"name": "배", "role": "link"}, "배, 링크, 과일 목록", "ko", True, focus=True)
    check({"name": "배", "role": "link"}, "재배, 링크", "ko", False, focus=True)
    check({"name": "번호", "value": "12"}, "번호, 120", "ko", False, focus=True)
    check(box, "알림 받기, check box, not checked", "en", False, focus=True)
    check({"name": "비밀번호"}, "비밀번호 hunter2", "ko", False, focus=True, never=["hunter2"])
    check({"text": "오늘 할 일"}, "오늘 할일", "ko", True)  # recognised text loses spaces
    check({"text": "Buy milk"}, "Buy milk and bread", "en", False)
    check({"text": "Buy milk"}, "Buy milk and bread", "en", True, may=["and bread"])
    check({"nothing": True}, "텍스트가 없어요. 더 크게 할까요?", "ko", True)
    check({"text": "Buy milk"}, "Buy milk and bread", "en", True, may=["re:.*"])
    check({"text": "둘째 줄"}, "둘째 줄, 셋째 줄", "ko", True, reads_on=True)
    check({"text": "둘째 줄"}, "첫째 줄, 둘째 줄, 셋째 줄", "ko", False, reads_on=True)
    check({"nothing": True}, "회원 가입", "ko", False)
    check({"name": "비밀번호", "states": ["protected"]}, "비밀번호, 보호된 입력란 hunter2", "ko", False, never=["hunter2"], may_roles=["edit"])
    check({"name": "19,900원", "headers": ["가격"]}, "가격 열, 19,900원", "ko", True)
    check({"name": "19,900원"}, "가격 열, 19,900원", "ko", False)
    phone = {"name": "전화번호", "role": "edit", "states": ["invalid"], "value": "12", "message": "숫자가 모자라요"}
    check(phone, "전화번호, 편집창, 입력 오류, 숫자가 모자라요, 12", "ko", True)
    check(phone, "전화번호, 편집창, 입력 오류, 12", "ko", False)
    submenu = {"name": "Side Pane", "role": ["menu", "menu_item"], "states": ["has_submenu"], "position": "any"}
    check(submenu, "Side Pane, 메뉴, 16개 중 4번째", "ko", True)
    check(submenu, "Side Pane, 16개 중 4번째", "ko", False)
    orca = compare.judge({"say": box}, "알림 받기 check box checked", "orca", WORDS)
    luna = compare.judge({"say": box}, "알림 받기", "ko", WORDS)
    assert compare.missing_beside(orca, luna) == ["state checked", "role"]
    # Of several words for a field the first that is said counts, whether it is the longest or not.
    mail = {"name": "Mail", "role": "edit", "states": ["required"]}
    check(mail, "Mail, edit, required, invalid entry", "en", True, may_states=["invalid"])
    menu = {"name": ["Firefox", "Open application menu"], "role": "menu_button"}
    check(menu, "Firefox, 버튼, Open application menu", "ko", True, may=["Firefox", "Open application menu"])
    check(menu, "버튼, Firefox, Open application menu", "ko", False, may=["Firefox", "Open application menu"])
    tab = {"name": "한 주", "role": "tab"}
    check(tab, "한 주, 탭, 선택 안 됨, 2개 중 2번째", "ko", True)
    check(tab, "한 주, 탭, 접힘", "ko", False)
    place = {"say": {"text": "Buy milk"}}
    orca["orca_fields"] = {"role": "link", "required": "required"}
    assert compare.unnamed_fields(place, orca, "Buy milk, 링크", "ko", WORDS) == ["required (required)"]
    print("ok")


if __name__ == "__main__":
    main()
