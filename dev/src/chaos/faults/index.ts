import type { Fault } from "../trial.ts";
import { brokerAway } from "./broker.ts";
import { campaignStarved } from "./campaign.ts";
import { connectionsCut, databaseRestarted } from "./database.ts";
import { routesFail } from "./failover.ts";
import { oneFloods } from "./flood.ts";
import { organizationsOnHold } from "./held.ts";
import { idSchemeChanged } from "./id-scheme.ts";
import {
	accountsKilled,
	consumerKilled,
	dispatcherKilled,
	gatewayKilled,
	messagingKilled,
	relayKilled,
	senderKilled,
} from "./killed.ts";
import { idsAnew, operatorTrouble } from "./operator.ts";
import { receiverTrouble } from "./receivers.ts";
import { poisonRecords, recordsRepeated } from "./records.ts";
import { releasesBeside } from "./releases.ts";
import { processesFrozen, rollingRestart } from "./replicas.ts";
import { gatewayRestarted } from "./restarted.ts";

/** The faults of the design's proof, by its numbers. */
export const faults: readonly Fault[] = [
	gatewayKilled,
	messagingKilled,
	relayKilled,
	dispatcherKilled,
	consumerKilled,
	senderKilled,
	accountsKilled,
	databaseRestarted,
	connectionsCut,
	brokerAway,
	recordsRepeated,
	poisonRecords,
	operatorTrouble,
	receiverTrouble,
	rollingRestart,
	processesFrozen,
	oneFloods,
	releasesBeside,
	idsAnew,
	organizationsOnHold,
	campaignStarved,
	gatewayRestarted,
	idSchemeChanged,
	routesFail,
];
