/** `coxswain routes [path]`: shows which code answers a request, from the filters to the stored bytes. */

import type { DescribedVerb } from '@coxswain/apiserver/routes.ts';
import { bool, commandFor, maximumArgs, string } from '@coxswain/cobra';
import { startCluster } from '../cluster/cluster.ts';
import type { ProgramIo } from '../program/program-io.ts';
import { nodePlaces } from '../trace/node-places.ts';
import { allRoutes, routeFacts, routesPath, type PlacedPart, type RouteFacts } from '../trace/route-facts.ts';
import { askServer } from '../tracing/ask-server.ts';

const command = commandFor<ProgramIo>();
const columnsDefault = 140;

export const routes = command({
  use: 'routes [PATH]',
  short: 'Show which code handles a request path',
  long: 'Prints what handles a request: the filters, the server of the chain, the handler, conversion, defaulting, admission\nplugins, store, strategy, validation and storage key, each with file and line. Without a path, prints all\nroutes. Asks the cluster that $KUBECONFIG or --kubeconfig names, if that is one of "coxswain up", with its custom and\naggregated resources; otherwise a new one.',
  example:
    "  coxswain routes /apis/apps/v1/namespaces/default/deployments/web\n  coxswain routes --method=POST '/api/v1/namespaces/default/pods?dryRun=All'\n  coxswain routes '/api/v1/pods?watch=true'\n  coxswain routes --filters",
  args: maximumArgs(1),
  flags: {
    method: string({ default: 'GET', usage: 'The HTTP method.' }),
    filters: bool({ usage: 'Print only the filters that every request passes through, in order.' }),
    legacyApis: bool({ usage: 'Also serve the beta API groups of Kubernetes 1.20 in the new cluster.' }),
    kubeconfig: string({
      usage: 'The kubeconfig file of a running cluster. Defaults to $KUBECONFIG, if that is set.',
    }),
    json: bool({ usage: 'Print JSON.' }),
  },
  async run({ context: io, args, flags }) {
    const path = flags.filters ? '/' : args[0];
    if (path !== undefined && !path.startsWith('/'))
      throw new Error(`a path begins with "/", such as /api/v1/pods, unlike "${path}"`);
    const question = { method: flags.method.toUpperCase(), path };
    const isRunning = flags.kubeconfig !== '' || Boolean(io.env['KUBECONFIG']);
    const reported = isRunning
      ? await askRunning(io, flags.kubeconfig, question)
      : await askNew(flags.legacyApis, question);
    const columns = io.columns ?? columnsDefault;
    const value = flags.filters ? (reported as RouteFacts).filters : reported;
    const lines =
      path === undefined
        ? (reported as readonly DescribedVerb[]).map(routeLine)
        : flags.filters
          ? filterLines(reported as RouteFacts, columns)
          : factLines(reported as RouteFacts, columns);
    io.out.write(flags.json ? `${JSON.stringify(value, undefined, 2)}\n` : `${lines.join('\n')}\n`);
  },
});

interface Question {
  readonly method: string;
  /** All routes if undefined. */
  readonly path: string | undefined;
}

type Reported = RouteFacts | readonly DescribedVerb[];

async function askNew(legacyApis: boolean, { method, path }: Question): Promise<Reported> {
  const cluster = await startCluster({
    nodes: 0,
    controllers: [],
    scheduler: false,
    servesMetrics: true,
    ...(legacyApis && { runtimeConfig: 'api/legacy=true' }),
  });
  try {
    const { apiServer } = cluster;
    return path === undefined
      ? await allRoutes(apiServer)
      : await routeFacts(apiServer, nodePlaces(), method, path);
  } finally {
    await cluster.stop();
  }
}

async function askRunning(io: ProgramIo, kubeconfig: string, { method, path }: Question): Promise<Reported> {
  const { client, ask } = askServer({ env: io.env, kubeconfig }, 'shows no routes');
  const asked = new URLSearchParams({ method, ...(path !== undefined && { path }) });
  try {
    return JSON.parse(await ask('GET', `${routesPath}?${asked}`)) as Reported;
  } finally {
    await client.close();
  }
}

const routeLine = (route: DescribedVerb): string =>
  `${route.method.padEnd(7)}${route.action.padEnd(18)}${route.path}  ${route.kind}`.trimEnd();

function filterLines({ filters, filtersListed }: RouteFacts, columns: number): string[] {
  const listed = line('filters', 'in this order', filtersListed, columns);
  return [
    listed,
    ...filters.map(({ does, place }, index) => line(`${index + 1}`.padStart(7), does, place, columns)),
  ];
}

/** Filters are listed by name; `--filters` gives each its own line. */
function factLines(facts: RouteFacts, columns: number): string[] {
  const { servers, filters, resource, kind, storageKey, refusal, parts } = facts;
  const delegates = servers.map((name, index) => (index < servers.length - 1 ? `${name} (delegates)` : name));
  return [
    line('request', `${facts.method} ${facts.path}`, '', columns),
    line(
      'filters',
      `${filters.length}, from ${filters[0]?.does} to ${filters.at(-1)?.does}`,
      facts.filtersListed,
      columns,
    ),
    line('server', delegates.join(' → '), facts.serversListed, columns),
    ...(resource === undefined ? [] : [line('resource', `${resource}, kind ${kind}`, '', columns)]),
    line('verb', facts.dryRun ? `${facts.verb}; with dryRun nothing is stored` : facts.verb, '', columns),
    ...parts.map((part) => line(part.part, described(part), part.place, columns)),
    ...(resource === undefined ? [] : [line('storage key', storageKey ?? 'none', '', columns)]),
    ...(refusal === undefined ? [] : [line('answer', refusal, '', columns)]),
  ];
}

/** The function's name, if it says more than the description of what it does. */
const described = ({ does, function: name }: PlacedPart): string =>
  does === '' ? name : saysNothing.has(name) || does.includes(name) ? does : `${does}: ${name}`;

/** Method names that every implementation shares. */
const saysNothing = new Set(['', 'mutate', 'validate', 'handle', 'prepareForCreate', 'prepareForUpdate']);

const nameWidth = 21;

function line(name: string, text: string, place: string, columns: number): string {
  const left = `${name.padEnd(nameWidth)}${text}`;
  const gap = columns - left.length - place.length;
  return `${left}${' '.repeat(place === '' ? 0 : Math.max(2, gap))}${place}`.trimEnd();
}
