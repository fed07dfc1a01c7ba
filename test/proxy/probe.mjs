// A client. Reads one question per line: {protocol, host, port, count, timeoutMs, localPort}; answers with a line of
// replies: {pod, client}, or {error}.
import dgram from 'node:dgram';
import http from 'node:http';
import readline from 'node:readline';

const overTcp = ({ host, port, timeoutMs }) =>
  new Promise((resolve) => {
    const request = http.get({ host, port, agent: false, timeout: timeoutMs }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve(JSON.parse(text)));
    });
    request.on('timeout', () => request.destroy(Object.assign(new Error('timeout'), { code: 'TIMEOUT' })));
    request.on('error', (error) => resolve({ error: error.code }));
  });

const overUdp = ({ host, port, timeoutMs, localPort }) =>
  new Promise((resolve) => {
    const socket = dgram.createSocket(host.includes(':') ? 'udp6' : 'udp4');
    const done = (reply) => {
      clearTimeout(timer);
      socket.close(() => resolve(reply));
    };
    const timer = setTimeout(() => done({ error: 'TIMEOUT' }), timeoutMs);
    socket.on('message', (message) => done(JSON.parse(message.toString())));
    socket.on('error', (error) => done({ error: error.code }));
    socket.bind(localPort ?? 0, () =>
      socket.connect(port, host, (error) => (error ? done({ error: error.code }) : socket.send('?'))),
    );
  });

const lines = readline.createInterface({ input: process.stdin });
for await (const line of lines) {
  const question = JSON.parse(line);
  const replies = [];
  for (let i = 0; i < question.count; i++)
    replies.push(await (question.protocol === 'UDP' ? overUdp : overTcp)(question));
  process.stdout.write(`${JSON.stringify(replies)}\n`);
}
