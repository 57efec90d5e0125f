interface BrokerAddress {
	readonly bind: string;
	/** Host that clients are told to dial. */
	readonly advertise: string;
	readonly port: number;
	readonly controllerPort: number;
}

/** Settings of a single broker that is its own controller, by Kafka's property names. */
export function brokerSettings(address: BrokerAddress): Record<string, string> {
	const { bind, advertise, port, controllerPort } = address;
	return {
		"process.roles": "broker,controller",
		"node.id": "1",
		"controller.quorum.voters": `1@127.0.0.1:${controllerPort}`,
		listeners: `PLAINTEXT://${bind}:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
		"advertised.listeners": `PLAINTEXT://${advertise}:${port}`,
		"inter.broker.listener.name": "PLAINTEXT",
		"controller.listener.names": "CONTROLLER",
		"listener.security.protocol.map":
			"CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
		...SINGLE_BROKER_SETTINGS,
	};
}

/** One small broker that is ready soon, also after a crash: its old registration lapses after 2 s. */
const SINGLE_BROKER_SETTINGS = {
	"auto.create.topics.enable": "false",
	"group.initial.rebalance.delay.ms": "0",
	"group.min.session.timeout.ms": "2000",
	"offsets.topic.replication.factor": "1",
	"offsets.topic.num.partitions": "1",
	"transaction.state.log.replication.factor": "1",
	"transaction.state.log.min.isr": "1",
	"transaction.state.log.num.partitions": "1",
	"share.coordinator.state.topic.replication.factor": "1",
	"share.coordinator.state.topic.min.isr": "1",
	"broker.session.timeout.ms": "2000",
	"broker.heartbeat.interval.ms": "500",
	"num.network.threads": "1",
	"num.io.threads": "2",
	"background.threads": "1",
	"log.cleaner.dedupe.buffer.size": "2097152",
};
