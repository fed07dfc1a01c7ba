import { expect, test } from 'vitest';
import { wrongNameText } from './wrong-name.ts';

// Go 1.26's messages.
test.each([
  [
    'DNS:localhost, DNS:kubernetes, IP Address:127.0.0.1',
    'x',
    'certificate is valid for localhost, kubernetes, not x',
  ],
  [
    'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
    '127.0.0.2',
    'certificate is valid for 127.0.0.1, ::1, not 127.0.0.2',
  ],
  ['IP Address:127.0.0.1', 'x', 'certificate is not valid for any names, but wanted to match x'],
  ['DNS:a', '::1', "cannot validate certificate for ::1 because it doesn't contain any IP SANs"],
])('a certificate for %s, wanted for %s', (subjectaltname, host, text) => {
  expect(wrongNameText({ host, cert: { subjectaltname } }, 'somebody')).toBe(text);
});
