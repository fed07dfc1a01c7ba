import { expect, test } from 'vitest';
import { annotated, pod } from '../../../kubelet/test/one-pod.ts';
import { checkImage } from './images.ts';

test.each(['nginx', 'nginx:1.29', 'registry.k8s.io/pause:3.10', 'localhost:5000/app', 'team/app:v404'])(
  '%s can be pulled',
  (name) => {
    expect(() => checkImage(name, pod())).not.toThrow();
  },
);

test('a tag that says that it is not there is not found', () => {
  expect(() => checkImage('webserver:404', pod())).toThrow(
    'failed to pull and unpack image "docker.io/library/webserver:404": failed to resolve reference "docker.io/library/webserver:404": docker.io/library/webserver:404: not found',
  );
  expect(() => checkImage('gcr.io/x/app:non-existent', pod())).toThrow(
    'gcr.io/x/app:non-existent: not found',
  );
});

test('a registry below .invalid cannot be reached', () => {
  expect(() => checkImage('registry.invalid/app', pod())).toThrow('lookup registry.invalid: no such host');
});

test('a malformed name is refused, and an image whose pod asks for it', () => {
  expect(() => checkImage('UPPER case', pod())).toThrow('invalid reference format');
  expect(() => checkImage('nginx', pod({}, annotated({ 'pull-error': 'no credit' })))).toThrow('no credit');
});
