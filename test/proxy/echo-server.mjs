// A pod: tells over TCP and UDP who it is and whom it sees. Arguments: name, port.
import dgram from 'node:dgram';
import http from 'node:http';

const [name, port] = process.argv.slice(2);
http
  .createServer((request, response) => {
    response.setHeader('connection', 'close');
    response.end(JSON.stringify({ pod: name, client: request.socket.remoteAddress.replace('::ffff:', '') }));
  })
  .listen(Number(port), '::', () => {
    for (const type of ['udp4', 'udp6']) {
      const socket = dgram.createSocket({ type, ipv6Only: type === 'udp6' });
      socket.on('message', (_message, from) =>
        socket.send(JSON.stringify({ pod: name, client: from.address }), from.port, from.address),
      );
      socket.bind(Number(port));
    }
    setTimeout(() => process.stdout.write('ready\n'), 50);
  });
