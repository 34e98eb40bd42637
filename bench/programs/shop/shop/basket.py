"""The basket of a visitor."""


class Basket:
    def __init__(self, rows):
        self.rows = rows

    def total(self):
        return sum(self.rows)


def with_basket(get_response):
    def middleware(request):
        request.basket = Basket([1, 2])
        return get_response(request)

    return middleware


def shown_basket(request):
    return {"basket_total": request.basket.total()}
