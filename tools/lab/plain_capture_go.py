"""Playouts of First Capture Go in plain loops, compiled by numba: a conventional implementation.

The board has a border, points are examined one by one, and a flood fill finds liberties.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

EMPTY, BORDER = 0, 3

Points = npt.NDArray[np.int64]


def has_liberty(board: Points, stride: int, point: int, stack: Points, seen: Points) -> bool:
    """Returns whether the group at a point has a liberty.

    stack: scratch memory, as long as the board. seen: of the same length, initially zeros; point 0,
    a border point, counts the calls, and the others contain the last call that visited them.
    """
    color = board[point]
    seen[0] += 1
    mark = seen[0]
    seen[point] = mark
    stack[0] = point
    size = 1
    while size:
        size -= 1
        at = stack[size]
        for near in (at - stride, at - 1, at + 1, at + stride):
            if board[near] == EMPTY:
                return True
            if board[near] == color and seen[near] != mark:
                seen[near] = mark
                stack[size] = near
                size += 1
    return False


def capture_go_playouts(width: int, height: int, count: int, seed: int) -> int:
    """Plays `count` playouts and returns the number of their moves, passes included."""
    np.random.seed(seed)  # numba's own generator
    stride = width + 1
    area = stride * (height + 2) + 1
    board = np.empty(area, np.int64)
    stack = np.empty(area, np.int64)
    seen = np.zeros(area, np.int64)
    free = np.empty(width * height, np.int64)
    moves = 0
    for _ in range(count):
        board[:] = BORDER
        left = 0
        for y in range(1, height + 1):
            for x in range(1, width + 1):
                board[y * stride + x] = EMPTY
                free[left] = y * stride + x
                left += 1
        color = 1
        over = False
        while not over:
            moves += 1
            tried = left  # points after it turned out illegal
            played = False
            while tried and not played:
                pick = np.random.randint(tried)
                point = free[pick]
                board[point] = color
                for near in (point - stride, point - 1, point + 1, point + stride):
                    if board[near] == 3 - color:
                        over = over or not has_liberty(board, stride, near, stack, seen)
                played = over or has_liberty(board, stride, point, stack, seen)
                tried -= 1
                free[pick] = free[tried]
                free[tried] = point
                if played:
                    left -= 1
                    free[tried] = free[left]
                    free[left] = point
                else:
                    board[point] = EMPTY
            over = over or not played  # a pass loses
            color = 3 - color
    return moves
