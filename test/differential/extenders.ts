/**
 * `npm run differ-extenders -- --peers DIR`: an HTTP server plays extenders for the original's scheduler and for ours,
 * one after the other on one API server. Compared are the requests that the extender gets, body for body, where the
 * pod goes, what its status says, who is preempted, and the events.
 */
import { homedir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { hookCertificate } from './certificate.ts';
import { extenderServer, type Asked } from './scheduler/extender-server.ts';
import {
  extenderStories,
  secureStories,
  usualNodes,
  usualPod,
  type ExtenderStory,
} from './scheduler/extender-stories.ts';
import { outcomeOf, type Outcome } from './scheduler/outcome.ts';
import { comparable, differences } from './scheduler/view.ts';
import { sides, withScheduler, World, type Side } from './scheduler/world.ts';

const { values: options, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    peers: { type: 'string', default: path.join(homedir(), '.cache/kubernetes-peers/bin') },
    /** Prints what both did. */
    whole: { type: 'boolean', default: false },
  },
});

interface Reported extends Outcome {
  readonly asked: readonly Asked[];
}

const world = await World.start(options.peers);
const certificate = hookCertificate();
const { cert, key } = certificate;
const servers = {
  plain: await extenderServer(),
  server: await extenderServer({ cert, key }),
  mutual: await extenderServer({ cert, key, ca: cert, requestCert: true }),
};
let count = 0;
let different = 0;
try {
  for (const [name, story] of Object.entries({ ...extenderStories, ...secureStories })) {
    if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
    count++;
    const [theirs, ours] = [await reported(story, sides[0]!), await reported(story, sides[1]!)];
    if (options.whole) console.log(name, JSON.stringify(theirs, undefined, 1));
    const found = differences(theirs, ours);
    if (found.length === 0) continue;
    different++;
    console.log(`\n${name}`);
    for (const line of found) console.log(`  ${line}`);
  }
} finally {
  for (const server of Object.values(servers)) await server.close();
  await world.stop();
}
console.log(`${count} stories: ${different} differences`);
process.exitCode = different > 0 ? 1 : 0;

async function reported(story: ExtenderStory, side: Side): Promise<Reported> {
  const { nodes = usualNodes, standing = [], pod = usualPod } = story;
  const objects = [...nodes, ...standing];
  const extender = servers[story.tls ?? 'plain'];
  extender.answers = story.answers;
  for (const object of objects) await world.create(object);
  const configured = typeof story.extenders === 'function' ? story.extenders(certificate) : story.extenders;
  const extenders = configured.map((one) => withAddress(one, story.tls ? 'https' : 'http', extender.port));
  const stop = await world.schedule(side, { extenders });
  extender.asked.length = 0;
  try {
    const outcome = await outcomeOf(world, withScheduler(pod, side), standing, story.settleMs);
    return comparable({ ...outcome, asked: distinct(extender.asked) });
  } finally {
    await stop();
    for (const object of [pod, ...standing, ...nodes]) await world.remove(object);
  }
}

/** A story may name the scheme only. */
function withAddress(configuration: { readonly urlPrefix?: string }, usual: string, port: number): object {
  const { urlPrefix = usual } = configuration;
  const isScheme = urlPrefix === 'http' || urlPrefix === 'https';
  return { ...configuration, urlPrefix: isScheme ? `${urlPrefix}://127.0.0.1:${port}/` : urlPrefix };
}

/** How often something is tried again is a matter of time. */
function distinct(asked: readonly Asked[]): readonly Asked[] {
  const texts = asked.map((one) => JSON.stringify(comparable(one)));
  // Those that score are asked at the same time.
  return asked
    .filter((_, index) => texts.indexOf(texts[index]!) === index)
    .sort((a, b) => (a.verb < b.verb ? -1 : 1));
}
