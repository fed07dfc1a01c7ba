/**
 * `npm run differ-schedulers -- --peers DIR`: small clusters at random, in which the original's scheduler and ours place
 * the same pods, one after the other on one API server. Compared are whether a pod can be placed and on a node of
 * the best score, what its status says, where it is nominated, who is preempted, and the events.
 */
import { homedir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom, type KubeObject } from '@coxswain/apimachinery';
import { explainPlacement } from '@coxswain/kube-scheduler';
import { outcomeOf, type Outcome } from './scheduler/outcome.ts';
import { RandomStory, type Story } from './scheduler/random-story.ts';
import { comparable, differences } from './scheduler/view.ts';
import { withScheduler, World, type Side } from './scheduler/world.ts';

const { values: options } = parseArgs({
  options: {
    peers: { type: 'string', default: path.join(homedir(), '.cache/kubernetes-peers/bin') },
    seed: { type: 'string', default: '1' },
    stories: { type: 'string', default: '20' },
    probes: { type: 'string', default: '6' },
    /** Full nodes, and pods that are urgent: most of them preempt. */
    crowded: { type: 'boolean', default: false },
    /** Prints clusters in which something differs. */
    whole: { type: 'boolean', default: false },
  },
});

/** Both have to have seen what was created. */
const seenMs = 150;

const counts = { probes: 0, placed: 0, refused: 0, preempting: 0, elsewhere: 0, different: 0 };
const world = await World.start(options.peers);
const stops = [await world.schedule('theirs'), await world.schedule('ours')];
try {
  for (let story = 0; story < Number(options.stories); story++) {
    const seed = Number(options.seed) + story;
    await play(seed, new RandomStory(seededRandom(seed), options.crowded).make(Number(options.probes)));
  }
} finally {
  for (const stop of stops) await stop();
  await world.stop();
}
console.log(
  Object.entries(counts)
    .map(([name, count]) => `${name}: ${count}`)
    .join(', '),
);
process.exitCode = counts.different > 0 ? 1 : 0;

async function play(seed: number, story: Story): Promise<void> {
  for (const object of [...story.nodes, ...story.standing]) await world.create(object);
  for (const probe of story.probes) {
    const theirs = await placed(probe, story, 'theirs');
    const ours = await placed(probe, story, 'ours');
    count(ours);
    const found = differences(...alike(theirs, ours));
    if (found.length === 0) continue;
    counts.different++;
    console.log(`\nseed ${seed}, ${probe.metadata.name}`);
    for (const line of found) console.log(`  ${line}`);
    console.log(`  scores by ours: ${JSON.stringify(ours.scores)}`);
    if (options.whole) console.log(JSON.stringify({ ...story, probes: [probe] }));
  }
  for (const object of [...story.standing, ...story.nodes]) await world.remove(object);
}

interface Placed extends Outcome {
  /** Of the nodes that fit, by ours; where it was placed. */
  readonly scores: Readonly<Record<string, number>>;
}

async function placed(probe: KubeObject, { standing }: Story, side: Side): Promise<Placed> {
  await new Promise((resolve) => setTimeout(resolve, seenMs));
  const pods = standing.filter(({ kind }) => kind === 'Pod');
  const outcome = await outcomeOf(world, withScheduler(probe, side), pods, seenMs);
  const scores = outcome.nodeName === '' ? {} : await scoresOf(probe, side);
  await world.remove(probe);
  for (const pod of pods) {
    if (outcome.victims[pod.metadata.name!] === undefined) continue;
    await world.remove(pod);
    await world.create(pod);
  }
  return comparable({ ...outcome, scores });
}

async function scoresOf({ metadata }: KubeObject, schedulerName: Side): Promise<Placed['scores']> {
  const { nodes } = await explainPlacement({
    client: world.client,
    namespace: 'default',
    name: metadata.name!,
    config: { profiles: [{ schedulerName }] },
  });
  const fitting = nodes.filter(({ refusals }) => refusals.length === 0);
  return Object.fromEntries(fitting.map(({ node, total }) => [node, total]));
}

/** Among nodes of the best score, and among those whose victims cost the same, chance decides. */
function alike(theirs: Placed, ours: Placed): [object, object] {
  const best = Math.max(...Object.values(ours.scores));
  const isTie = theirs.nodeName !== '' && ours.nodeName !== '' && ours.scores[theirs.nodeName] === best;
  if (isTie) return [{ condition: theirs.condition }, { condition: ours.condition }];
  if (theirs.nominatedNodeName === ours.nominatedNodeName || ours.nominatedNodeName === '')
    return [theirs, ours];
  counts.elsewhere++;
  const seen = ({ condition, victims }: Placed) => ({ condition, victims: Object.values(victims) });
  return [seen(theirs), seen(ours)];
}

function count({ nodeName, nominatedNodeName }: Placed): void {
  counts.probes++;
  if (nodeName !== '') counts.placed++;
  else if (nominatedNodeName !== '') counts.preempting++;
  else counts.refused++;
}
