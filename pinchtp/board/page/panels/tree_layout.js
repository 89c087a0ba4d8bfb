// Where the nodes of a game tree stand: the column is the depth, and each variation runs in a lane
// that is free from where it leaves its parent to its end.

/** @typedef {{ id: number, parent: number | null }} TreeNode */
/** @typedef {{ id: number, column: number, lane: number, parent: Placed | null }} Placed */

/**
 * @param {TreeNode[]} nodes parents before children; the first child continues the line
 * @returns {Map<number, Placed>}
 */
export function layOut(nodes) {
  const children = childrenOf(nodes);
  /** @type {Map<number, Placed>} */
  const placed = new Map();
  /** @type {number[]} */
  const starts = []; // of lanes: the first column that is taken in each
  const root = nodes[0];
  if (!root) return placed;
  /** @type {{ id: number, parent: Placed | null }[]} */
  const open = [{ id: root.id, parent: null }];
  // Variations that branch off late are laid out first, so that lines do not cross.
  for (let next = open.pop(); next; next = open.pop()) {
    const line = lineFrom(next.id, children), column = next.parent ? next.parent.column + 1 : 0;
    const lane = freeLane(starts, next.parent, column, line.length);
    let parent = next.parent;
    for (const [step, id] of line.entries()) {
      /** @type {Placed} */
      const here = { id, column: column + step, lane, parent };
      placed.set(id, here);
      parent = here;
      for (const other of (children.get(id) ?? []).slice(1).reverse()) open.push({ id: other, parent: here });
    }
  }
  return placed;
}

/** @param {TreeNode[]} nodes */
function childrenOf(nodes) {
  /** @type {Map<number, number[]>} */
  const children = new Map();
  for (const { id, parent } of nodes) {
    if (parent === null) continue;
    const found = children.get(parent);
    if (found) found.push(id);
    else children.set(parent, [id]);
  }
  return children;
}

/** A node, its first child, and so on. @param {number} id @param {Map<number, number[]>} children */
function lineFrom(id, children) {
  const line = [id];
  for (let next = children.get(id)?.[0]; next !== undefined; next = children.get(next)?.[0]) line.push(next);
  return line;
}

/**
 * Below the parent's lane, where nothing stands from the parent's column on. Lines are laid out from
 * the right, so what is in a lane begins behind those columns or not at all.
 * @param {number[]} starts the column where each lane is taken from
 * @param {Placed | null} parent @param {number} column @param {number} length
 */
function freeLane(starts, parent, column, length) {
  let lane = parent ? parent.lane + 1 : 0;
  while ((starts[lane] ?? Infinity) <= column + length) lane += 1;
  for (let above = 0; above <= lane; above++) starts[above] ??= Infinity;
  starts[lane] = parent ? parent.column : 0;
  return lane;
}
