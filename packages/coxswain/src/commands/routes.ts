/** `coxswain routes [path]`: what a path leads to, server by server, down to the storage key. */

import {
  describeRoute,
  describeRoutes,
  type DescribedRoute,
  type DescribedVerb,
} from '@coxswain/apiserver/routes.ts';
import { bool, commandFor, maximumArgs, string } from '@coxswain/cobra';
import { createKubeApiServer } from '@coxswain/kube-apiserver';
import type { Filter } from '@coxswain/apiserver';
import type { ProgramIo } from '../program/program-io.ts';
import { nodePlaces } from '../trace/node-places.ts';

const command = commandFor<ProgramIo>();

export const routes = command({
  use: 'routes [PATH]',
  short: 'Show which code handles a request path',
  long: 'Prints which server in the chain answers a request path, and the handler, store and storage key that it leads to.\nWithout a path, prints the routes of all resources.',
  example:
    '  coxswain routes /apis/apps/v1/namespaces/default/deployments/web\n  coxswain routes --method=POST /api/v1/namespaces/default/pods\n  coxswain routes --filters',
  args: maximumArgs(1),
  flags: {
    method: string({ default: 'GET', usage: 'The HTTP method.' }),
    filters: bool({ usage: 'Print the filters that every request passes through, in order.' }),
    json: bool({ usage: 'Print JSON.' }),
  },
  async run({ context: io, args, flags }) {
    const server = await createKubeApiServer({});
    try {
      const told = flags.filters
        ? {
            value: server.served.filters.map(({ step }) => step),
            text: () => filterLines(server.served.filters),
          }
        : args[0] === undefined
          ? {
              value: describeRoutes(server.chain.aggregator),
              text: (all: DescribedVerb[]) => all.map(routeLine),
            }
          : {
              value: describeRoute(server.chain.aggregator, flags.method.toUpperCase(), args[0]),
              text: (one: DescribedRoute) => lifeLines(one),
            };
      const text = told.text as (value: unknown) => string[];
      io.out.write(
        flags.json ? `${JSON.stringify(told.value, undefined, 2)}\n` : `${text(told.value).join('\n')}\n`,
      );
    } finally {
      await server.stop();
    }
  },
});

function filterLines(filters: readonly Filter[]): string[] {
  const places = nodePlaces();
  return filters.map(({ step, handle }, index) => {
    const source = places.definition(handle);
    return `${String(index + 1).padStart(3)}  ${step.padEnd(28)} ${source === undefined ? '' : `${source.file}:${source.line}`}`.trimEnd();
  });
}

const routeLine = (route: DescribedVerb): string =>
  `${route.method.padEnd(7)}${route.action.padEnd(18)}${route.path}  ${route.kind}`;

function lifeLines({ server, passed, info, answer }: DescribedRoute): string[] {
  const chain = [...passed.map((name) => `${name} (delegates)`), server].join(' → ');
  const head = [['server', chain]];
  switch (answer.kind) {
    case 'resource':
      return aligned([
        ...head,
        ['resource', `${answer.route.groupVersion} ${answer.route.resource}, kind ${answer.route.kind}`],
        ['verb', `${info.verb} (${answer.route.action})`],
        ['handler', `packages/apiserver/src/${answer.route.handlerFile}`],
        ['store', answer.route.store],
        ['storage key', answer.storageKey ?? 'none'],
      ]);
    case 'path':
      return aligned([...head, ['path', answer.path]]);
    case 'refused':
      return aligned([...head, ['answer', `${answer.status} ${answer.message}`]]);
    case 'not-found':
      return aligned([...head, ['answer', '404 page not found']]);
  }
}

const aligned = (rows: readonly (readonly string[])[]): string[] =>
  rows.map(([name = '', value = '']) => `${name.padEnd(13)}${value}`);
