// A peer: the shortest proxy for streams that Node offers.   node pipe.mjs PORT UPSTREAM_PORT
import http from 'node:http';

const [port, upstream] = process.argv.slice(2).map(Number);
const agent = new http.Agent({ keepAlive: true, maxSockets: Infinity });

http.createServer((request, response) => {
    const { method, url: path, headers } = request;
    const passed = http.request({ host: '127.0.0.1', port: upstream, method, path, headers, agent }, (answer) => {
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    response.on('close', () => passed.destroy());
    request.pipe(passed);
}).listen(port, '127.0.0.1');
