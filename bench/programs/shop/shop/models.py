"""What is kept."""

from django.db import models


class Maker(models.Model):
    name = models.CharField(max_length=50)


class Ware(models.Model):
    name = models.CharField(max_length=50)
    price = models.IntegerField(null=True)
    maker = models.ForeignKey(Maker, models.CASCADE, related_name="wares")

    def in_words(self):
        return f"{self.name} by {self.maker.name}"


class Stock(models.Model):
    ware = models.OneToOneField(Ware, models.CASCADE, related_name="stock")
    amount = models.IntegerField(default=0)
