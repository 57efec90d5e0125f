import type { OutgoingContent, OutgoingMessage } from "./provider.ts";

export function messageBody(message: OutgoingMessage): object {
	return {
		messaging_product: "whatsapp",
		recipient_type: "individual",
		to: message.to.replace("+", ""),
		biz_opaque_callback_data: message.messageId,
		...contentBody(message.content),
	};
}

function contentBody(content: OutgoingContent): object {
	if (content.kind === "text")
		return {
			type: "text",
			text: { body: content.body, preview_url: false },
		};
	const { name, language, parameters } = content;
	const components = parameters.length === 0 ? [] : componentsOf(content);
	return {
		type: "template",
		template: {
			name,
			language: { code: language },
			...(components.length > 0 && { components }),
		},
	};
}

/** An authentication template carries its code twice: in the body and in the button that copies it. */
function componentsOf(
	content: Extract<OutgoingContent, { kind: "template" }>,
): object[] {
	const { parameters, parameterNames, isAuthentication } = content;
	const body = {
		type: "body",
		parameters: parameters.map((text, index) => ({
			type: "text",
			...(parameterNames?.[index] !== undefined && {
				parameter_name: parameterNames[index],
			}),
			text,
		})),
	};
	if (!isAuthentication) return [body];
	const code = [{ type: "text", text: parameters[0] }];
	return [
		body,
		{ type: "button", sub_type: "url", index: "0", parameters: code },
	];
}
