"""Trains a linear policy for Pinch 5x5 by policy gradients in self-play, using only numpy.

    python tools/examples/learn.py 100        # batches of 256 games

It prints how many of 256 games the policy wins against random play, before and after.
"""

from __future__ import annotations

import argparse

import numpy as np

import pinchtp

GAMES, SIZE, RATE = 256, 5, 0.15


def features(batch: pinchtp.Batch) -> np.ndarray:
    """Returns own and opposing stones and a constant, separately for each color to move."""
    board = batch.boards().reshape(GAMES, -1)
    mover = batch.to_move()[:, None]
    seen = np.concatenate([board == 1 + mover, board == 2 - mover, np.ones((GAMES, 1))], axis=1)
    return np.concatenate([seen * (mover == 0), seen * (mover == 1)], axis=1)


def policy(weights: np.ndarray, batch: pinchtp.Batch) -> np.ndarray:
    """Returns the probability of each action, float [games, actions]."""
    logits = np.where(batch.legal_mask(), features(batch) @ weights, -np.inf)
    chances = np.exp(logits - np.maximum(logits.max(axis=1, keepdims=True), -1e9))
    total = np.maximum(chances.sum(axis=1, keepdims=True), 1e-9)
    return np.asarray(chances / total)


def draw(chances: np.ndarray, over: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draws an action per game; -1 if the game is over."""
    picked = (chances.cumsum(axis=1) > rng.random((GAMES, 1))).argmax(axis=1)
    return np.where(over, -1, picked)


def train(weights: np.ndarray, rng: np.random.Generator) -> None:
    """Plays a batch of self-play games and reinforces the winners' moves."""
    batch = pinchtp.Batch("pinch", SIZE, count=GAMES)
    steps = []
    while not (over := batch.is_over()).all():
        chances = policy(weights, batch)
        actions = draw(chances, over, rng)
        steps.append((features(batch), chances, actions, batch.to_move()))
        batch.play(actions)
    for seen, chances, actions, mover in steps:
        won = np.where(actions < 0, 0, np.where(batch.results() == mover, 1, -1))
        chosen = np.eye(batch.num_actions)[actions]
        weights += RATE * seen.T @ (won[:, None] * (chosen - chances)) / len(steps)


def score(weights: np.ndarray, rng: np.random.Generator) -> int:
    """Returns the number of games that the policy wins as Black against random play."""
    batch = pinchtp.Batch("pinch", SIZE, count=GAMES, pie=False)
    while not (over := batch.is_over()).all():
        mine = draw(policy(weights, batch), over, rng)
        theirs = batch.random_actions(rng)
        batch.play(np.where(batch.to_move() == 0, mine, theirs))
    return int((batch.results() == 0).sum())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("batches", type=int, help=f"batches of {GAMES} games")
    batches = parser.parse_args().batches
    rng = np.random.default_rng(1)
    weights = np.zeros((2 * (2 * SIZE * SIZE + 1), SIZE * SIZE + 2))
    print(f"before: {score(weights, rng)} of {GAMES} games against random play")
    for _ in range(batches):
        train(weights, rng)
    print(f"after: {score(weights, rng)} of {GAMES} games against random play")
