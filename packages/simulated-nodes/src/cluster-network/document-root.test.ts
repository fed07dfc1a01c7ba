import { expect, test } from 'vitest';
import { documentRoot } from './document-root.ts';

test.each([
  [{ image: 'nginx' }, 80, '/usr/share/nginx/html'],
  [{ image: 'registry.example/library/httpd:2.4@sha256:00' }, 80, '/usr/local/apache2/htdocs'],
  [{ image: 'nginx' }, 8080, undefined],
  [{ image: 'nginx', command: ['serve'] }, 80, undefined],
  [{ image: 'nginx', volumeMounts: [{ name: 'c', mountPath: '/etc/nginx/conf.d' }] }, 80, undefined],
  [
    { image: 'nginx', volumeMounts: [{ name: 'c', mountPath: '/etc/nginx-notes' }] },
    80,
    '/usr/share/nginx/html',
  ],
  [{ image: 'example/nginx-exporter' }, 80, undefined],
])('%j on port %d serves %s', (container, port, root) => {
  expect(documentRoot({ name: 'web', resources: {}, ...container }, port)).toBe(root);
});
