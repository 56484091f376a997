// A client of powderkeg in 100 lines, written from serve/protocol/PROTOCOL.md alone. It plays
// a whole game against a bot of the server, and then many games at once.
//
//   npm ci && node client.mjs unix:/tmp/powderkeg.sock jogu scripted     (or tcp:127.0.0.1:7777)
import net from "node:net";
import { decode, encode } from "@msgpack/msgpack";

/** A connection: frames of a length and a msgpack array, one response for each request. */
class Client {
	#socket;
	#read = Buffer.alloc(0);
	#waiting = new Map(); // what waits for the response to a request, by id
	#id = 0;

	constructor(address) {
		const [, network, where] = address.match(/^(unix|tcp):(.+)$/);
		const port = where.lastIndexOf(":");
		this.#socket = net.connect(network === "unix" ? { path: where } : { host: where.slice(0, port), port: Number(where.slice(port + 1)) });
		this.#socket.on("data", (chunk) => this.#receive(chunk));
		this.#socket.on("error", (error) => this.#fail(error));
		this.#socket.on("close", () => this.#fail(new Error("the connection has ended")));
	}

	/** Sends a request and resolves to its result; an error of the server has a code. */
	call(method, params = {}) {
		const body = encode([0, ++this.#id, method, params], { useBigInt64: true });
		const frame = Buffer.alloc(4 + body.length);
		frame.writeUInt32BE(body.length);
		frame.set(body, 4);
		this.#socket.write(frame);
		return new Promise((resolve, reject) => this.#waiting.set(this.#id, { resolve, reject }));
	}

	#receive(chunk) {
		this.#read = Buffer.concat([this.#read, chunk]);
		while (this.#read.length >= 4 && this.#read.length >= 4 + this.#read.readUInt32BE()) {
			const end = 4 + this.#read.readUInt32BE();
			const [, id, error, result] = decode(this.#read.subarray(4, end)); // numbers beyond 2^53 lose digits: give seeds below
			this.#read = this.#read.subarray(end);
			const fault = error && Object.assign(new Error(error.message), { code: error.code });
			if (id === 0) return this.#fail(fault); // the last word of the server
			const { resolve, reject } = this.#waiting.get(id);
			this.#waiting.delete(id);
			fault ? reject(fault) : resolve(result);
		}
	}

	#fail(error) {
		for (const { reject } of this.#waiting.values()) reject(error);
		this.#waiting.clear();
	}

	close() {
		this.#socket.end();
	}
}

/** Arrays of numbers lie in a frame at any byte, so that their bytes are copied first. */
const floats = (bytes) => new Float32Array(new Uint8Array(bytes).buffer);
const ints = (bytes) => new Int32Array(new Uint8Array(bytes).buffer);
const pack = (numbers) => new Uint8Array(Int32Array.from(numbers).buffer); // little-endian, as machines are

/** The legal actions of a mask, and one of them by lot. */
const legal = (mask) => [...mask.keys()].filter((action) => mask[action]);
const any = (list) => list[Math.floor(Math.random() * list.length)];

/** Plays a game on seat 0 against a bot on the others, by lot. */
async function playGame(client, game, bot) {
	const { seats, actions } = await client.call("spec", { game });
	let { env, step } = await client.call("env.make", { game, seed: 1, agents: ["", ...Array(seats - 1).fill(bot)] });
	console.log((await client.call("env.text", { env })).text);
	while (!step.terminated) {
		const action = any(legal(step.mask));
		if (step.decisions < 3) console.log("seat", step.actor, "plays", actions[action]);
		step = await client.call("env.step", { env, action });
	}
	console.log("over after", step.decisions, "decisions, returns", [...floats(step.returns)]);
	await client.call("env.close", { env });
}

/** Steps many games at once, each by lot, until enough of them have ended. */
async function playMany(client, game, envs, enough) {
	const { vec, actions, seats } = await client.call("vec.make", { game, envs });
	let rows = await client.call("vec.reset", { vec, seed: 2 });
	let ended = 0, gained = 0, steps = 0;
	for (; ended < enough; steps++) {
		const chosen = Array.from({ length: envs }, (_, row) => any(legal(rows.masks.subarray(row * actions, (row + 1) * actions))));
		rows = await client.call("vec.step", { vec, actions: pack(chosen) });
		const returns = floats(rows.returns);
		ints(rows.ended).forEach((_, i) => { ended++; gained += returns[i * seats]; });
	}
	console.log(ended, "games in", steps, "steps of", envs, "environments; seat 0 gains", (gained / ended).toFixed(3));
	await client.call("vec.close", { vec });
}

const [address = "tcp:127.0.0.1:7777", game = "jogu", bot = "scripted"] = process.argv.slice(2);
const client = new Client(address);
const hello = await client.call("hello", { versions: [1], client: "node example" });
console.log(hello.server, hello.release, "offers", hello.agents.join(", "));
await playGame(client, game, bot);
await playMany(client, game, 32, 100);
await client.call("env.step", { env: 99, action: 0 }).catch((error) => console.log("as it should be:", error.code));
client.close();
