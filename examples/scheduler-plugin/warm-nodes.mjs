/**
 * A scheduler plugin: at most two builds run on a node, and a node that has already run the builds of a team is preferred,
 * because its caches are warm. `coxswain up --scheduler-plugins warm-nodes.mjs` uses it, too.
 */

const buildsMax = 2;
const isBuild = ({ metadata }) => metadata.labels?.app === 'build';
const teamOf = ({ metadata }) => metadata.labels?.team;

export const warmNodes = {
  name: 'WarmNodes',
  weight: 5,
  filter(pod, { pods }) {
    const isFull = isBuild(pod) && pods.filter(isBuild).length >= buildsMax;
    return isFull ? `node(s) already run ${buildsMax} builds` : undefined;
  },
  score(pod, { node }) {
    const warm = node.metadata.annotations?.['example.com/warm-for']?.split(',') ?? [];
    return warm.includes(teamOf(pod)) ? 100 : 0;
  },
};

export default [warmNodes];
