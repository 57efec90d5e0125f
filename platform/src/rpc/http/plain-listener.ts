import { createServer as createHttp1Server, type Server } from "node:http";
import {
	createServer as createHttp2Server,
	type Http2Server,
} from "node:http2";
import { createServer, type Server as NetServer, type Socket } from "node:net";
import type { HttpHandler } from "./handler.ts";
import { HTTP1_OPTIONS, HTTP2_OPTIONS, SOCKET_OPTIONS } from "./options.ts";

interface PlainListener {
	readonly server: NetServer;
	/** Where sessions of HTTP/2 are told. */
	readonly http2: Http2Server;
	/** Asks clients of HTTP/2 to open no more streams; those that they open all the same are served. */
	announceClose(): void;
	/** Closes connections of HTTP/1.1, each after its request under way, idle ones a second later. */
	closeHttp1(): void;
}

/** What a connection of HTTP/2 begins with, and no request of HTTP/1.1. */
const PREFACE = Buffer.from("PRI");
/** Longest wait for the first bytes, ms. */
const FIRST_BYTES_MS = 5_000;
/** Time that kept-alive connections of HTTP/1.1 get for one more request, whose response says `close`; ms. */
const LINGER_MS = 1_000;
/** The first GOAWAY of two (RFC 9113, 6.8): of stream 0, last stream 2^31-1, without an error. */
const CLOSE_NOTICE = Buffer.from("0000080700000000007fffffff00000000", "hex");

/** Without TLS nothing is negotiated: the first bytes of a connection tell HTTP/2 from HTTP/1.1. */
export function createPlainListener(handle: HttpHandler): PlainListener {
	const http2 = createHttp2Server(HTTP2_OPTIONS, handle);
	const http1 = createHttp1Server(HTTP1_OPTIONS, handle);
	const closeHttp1 = closeWhenIdle(http1);
	const http2Sockets = new Set<Socket>();
	http2.on("connection", (socket: Socket) => {
		http2Sockets.add(socket);
		socket.once("close", () => http2Sockets.delete(socket));
	});
	const server = createServer(SOCKET_OPTIONS, (socket) => {
		readPreface(socket, (first) => {
			const isHttp2 = first.subarray(0, PREFACE.length).equals(PREFACE);
			socket.unshift(first);
			(isHttp2 ? http2 : http1).emit("connection", socket);
			if (!isHttp2) socket.resume();
		});
	});
	const announceClose = () => http2Sockets.forEach(writeCloseNotice);
	return { server, http2, announceClose, closeHttp1 };
}

/** Node's own goaway() makes the session ignore later streams. It writes whole frames, so another fits between them. */
function writeCloseNotice(socket: Socket): void {
	const hasSentSettings = socket.bytesWritten > 0;
	if (hasSentSettings && socket.writable) socket.write(CLOSE_NOTICE);
}

function readPreface(socket: Socket, onRead: (first: Buffer) => void): void {
	let first = Buffer.alloc(0);
	const destroy = () => socket.destroy();
	const timer = setTimeout(destroy, FIRST_BYTES_MS);
	const stop = () => clearTimeout(timer);
	socket.once("error", destroy).once("close", stop);
	socket.on("data", function onData(chunk: Buffer) {
		first = Buffer.concat([first, chunk]);
		if (first.length < PREFACE.length) return;
		stop();
		socket.off("data", onData).off("error", destroy).off("close", stop).pause();
		onRead(first);
	});
}

/** The server never listens itself, so it does not know its connections. */
function closeWhenIdle(http1: Server): () => void {
	const idle = new Set<Socket>();
	let isClosing = false;
	http1.on("connection", (socket: Socket) => {
		idle.add(socket);
		socket.once("close", () => idle.delete(socket));
	});
	http1.prependListener("request", ({ socket }, response) => {
		idle.delete(socket);
		if (isClosing) response.setHeader("connection", "close");
		response.once("close", () => {
			if (isClosing) socket.destroy();
			else idle.add(socket);
		});
	});
	return () => {
		isClosing = true;
		setTimeout(() => {
			for (const socket of idle) socket.destroy();
		}, LINGER_MS);
	};
}
