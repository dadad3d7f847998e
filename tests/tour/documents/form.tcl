# A form in Tk, which has no accessibility tree: everything in it has to be recognised.
wm title . "주문서 Order"
wm geometry . 640x420+60+60
option add *Font {NanumGothic 14}
label .title -text "주문서 Order form"
label .name -text "받는 사람"
entry .who -width 24
.who insert 0 "홍길동"
label .where -text "Address"
entry .address -width 24
.address insert 0 "12 Hill Street"
checkbutton .gift -text "선물 포장 3,000원"
.gift select
radiobutton .card -text "Pay by card" -value card -variable pay
radiobutton .cash -text "현금으로 내기" -value cash -variable pay
set pay card
label .total -text "합계 30,000원"
button .order -text "주문하기"
button .cancel -text "Cancel"
grid .title -row 0 -columnspan 2 -sticky w -padx 16 -pady 8
grid .name -row 1 -column 0 -sticky w -padx 16 -pady 6
grid .who -row 1 -column 1 -sticky w
grid .where -row 2 -column 0 -sticky w -padx 16 -pady 6
grid .address -row 2 -column 1 -sticky w
grid .gift -row 3 -columnspan 2 -sticky w -padx 16 -pady 6
grid .card -row 4 -column 0 -sticky w -padx 16
grid .cash -row 4 -column 1 -sticky w
grid .total -row 5 -columnspan 2 -sticky w -padx 16 -pady 12
grid .order -row 6 -column 0 -sticky w -padx 16 -pady 8
grid .cancel -row 6 -column 1 -sticky w
focus .who
