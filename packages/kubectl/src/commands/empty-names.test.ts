/** What has no name, or one that cannot be part of a path, is never asked for: the path could be that of all objects. */
import { expect, test } from 'vitest';
import { runKubectl } from '../run.ts';
import { FakeServer } from '../testing/fake-server.ts';
import { recordedIo } from '../testing/recorded-io.ts';

const kinds = ['Pod', 'Node', 'Deployment', 'Service', 'ServiceAccount'];

async function kubectl(args: readonly string[]) {
  const server = new FakeServer(kinds);
  const io = recordedIo({ transport: server });
  const code = await runKubectl(args, io);
  const asked = server.requests.filter((request) => !/ \/apis?(\/v1)?(\?.*)?$/.test(request));
  return { code, err: io.text.err.split('\n')[0], asked };
}

const noName = 'error: resource name may not be empty';
const noPair = 'error: arguments in resource/name form must have a single resource and name';
const nothing = 'error: You must provide one or more resources by argument or filename.';

/** The words of the original. */
test.each([
  ['delete pod %', '', noName],
  ['delete cm %', '', noName],
  ['delete pod/', '', noPair],
  ['get pod %', '', noName],
  ['get pod/', '', noPair],
  ['describe pod %', '', noName],
  ['edit pod %', '', noName],
  ['label pod % a=b', '', noName],
  ['annotate pod % a=b', '', noName],
  ['patch pod % -p {}', '', noName],
  ['scale --replicas=1 deployment %', '', noName],
  ['expose --port=80 pod %', '', noName],
  ['wait --for=delete pod %', '', noName],
  ['cordon %', '', noName],
  ['uncordon %', '', noName],
  ['drain %', '', noName],
  ['logs %', '', nothing],
  ['attach %', '', noName],
  ['port-forward % 80', '', noName],
  ['debug --image=busybox %', '', noName],
  ['exec % -- ls', '', 'error: pod, type/name or --filename must be specified'],
  ['taint node % a=b:NoSchedule', '', noName],
  ['create token %', '', 'error: service account name is required'],
  ['create configmap %', '', 'error: name must be specified'],
  ['create secret generic %', '', 'error: name must be specified'],
  ['run --image=a %', '', 'error: Parameter: name is required'],
  ['delete pod %', '..', `error: invalid resource name "..": [may not be '..']`],
  ['get pod %', 'a%b', `error: invalid resource name "a%b": [may not contain '%']`],
  ['describe pod %', '..', `error: invalid resource name "..": [may not be '..']`],
  ['get pods -n a/b', '', `invalid namespace "a/b": [may not contain '/']`],
  ['get --subresource=.. pod %', 'x', `error: invalid subresource "..": [may not be '..']`],
])('%s with %j is refused before any object is asked for', async (line, name, words) => {
  const args = line.split(' ').map((word) => (word === '%' ? name : word));
  expect(await kubectl(args)).toEqual({ code: 1, err: words, asked: [] });
});
