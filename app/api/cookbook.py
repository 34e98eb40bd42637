"""The recipes of the cookbook: proven answers to common requests, with their code."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Annotated

from fastapi import APIRouter, Path, Response
from pydantic import BaseModel

from app.api.common import answers
from app.api.error_bodies import errors
from app.api.examples import example, file_example
from app.errors import InvalidRequest, RecipeNotFound
from ingest.cookbook import CookbookRecipe, load_cookbook

router = APIRouter(prefix="/cookbook", tags=["reference"])


class RecipeBody(BaseModel):
    """A recipe by its name and the request that it answers."""

    name: str
    title: str


class RecipePage(BaseModel):
    """All recipes, by name."""

    recipes: list[RecipeBody]


@cache
def recipes() -> dict[str, CookbookRecipe]:
    """The packaged recipes by name, read once."""
    return {recipe.name: recipe for recipe in load_cookbook()}


@router.get(
    "",
    summary="List the recipes",
    responses=answers("RECIPES", "All recipes."),
)
async def list_recipes() -> RecipePage:
    """The recipes of the cookbook. `GET /search?kind=exemplars` finds them by what they are for."""
    known = await asyncio.to_thread(recipes)
    return RecipePage(recipes=[RecipeBody(name=recipe.name, title=recipe.title) for recipe in known.values()])


@router.get(
    "/{area}/{name}.py",
    summary="Get a recipe",
    response_class=Response,
    responses={
        200: file_example("text/x-python", "The recipe.", example("SNIPPET")),
        **errors(RecipeNotFound, InvalidRequest),
    },
)
async def get_recipe(
    area: Annotated[str, Path(max_length=100, description="Its area.", examples=["modelling"])],
    name: Annotated[str, Path(max_length=100, description="Its name there.", examples=["merge_by_distance"])],
) -> Response:
    """The Python source of a recipe. Its constants at the top are its parameters."""
    recipe = (await asyncio.to_thread(recipes)).get(f"{area}/{name}")
    if recipe is None:
        raise RecipeNotFound(f"There is no recipe {area}/{name}.")
    return Response(recipe.snippet, media_type="text/x-python; charset=utf-8")
