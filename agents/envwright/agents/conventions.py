"""Names of spans' attributes, as OpenTelemetry's conventions have them at the pinned versions.

They are constants of our own because the published Python ones are marked deprecated while the
GenAI conventions move (github.com/open-telemetry/semantic-conventions-genai, in development).
"""

from typing import Final

# GenAI
OPERATION_NAME: Final = "gen_ai.operation.name"
AGENT_NAME: Final = "gen_ai.agent.name"
CONVERSATION_ID: Final = "gen_ai.conversation.id"
TOOL_NAME: Final = "gen_ai.tool.name"
TOOL_CALL_ID: Final = "gen_ai.tool.call.id"
PROVIDER_NAME: Final = "gen_ai.provider.name"
REQUEST_MODEL: Final = "gen_ai.request.model"
INPUT_TOKENS: Final = "gen_ai.usage.input_tokens"
OUTPUT_TOKENS: Final = "gen_ai.usage.output_tokens"
CACHED_TOKENS: Final = "gen_ai.usage.cache_read.input_tokens"
EVALUATION_NAME: Final = "gen_ai.evaluation.name"
EVALUATION_LABEL: Final = "gen_ai.evaluation.score.label"

INVOKE_AGENT: Final = "invoke_agent"
EXECUTE_TOOL: Final = "execute_tool"
CHAT: Final = "chat"

# Messaging (semantic conventions 1.44)
MESSAGING_SYSTEM: Final = "messaging.system"
MESSAGING_OPERATION_NAME: Final = "messaging.operation.name"
MESSAGING_OPERATION_TYPE: Final = "messaging.operation.type"
MESSAGING_DESTINATION: Final = "messaging.destination.name"
MESSAGING_GROUP: Final = "messaging.consumer.group.name"
MESSAGE_ID: Final = "messaging.message.id"
MESSAGE_CONVERSATION_ID: Final = "messaging.message.conversation_id"

PROCESS: Final = "process"

# General
ERROR_TYPE: Final = "error.type"
TOOL_ERROR: Final = "tool_error"
SERVICE_NAME: Final = "service.name"

# Ours: ids and nothing else
EVENT_ID: Final = "envwright.event.id"
EVENT_TYPE: Final = "envwright.event.type"
ROLE: Final = "envwright.role"
WORK_ID: Final = "envwright.work.id"
RUN_ID: Final = "envwright.run.id"
PACKAGE_ID: Final = "envwright.package.id"
ATTEMPT_ID: Final = "envwright.attempt.id"
GATE_ID: Final = "envwright.gate.id"
CLAIM_TOKEN: Final = "envwright.claim.token"
CLAIM_TRY: Final = "envwright.claim.try"
EVENTS_WRITTEN: Final = "envwright.events.written"
LINK: Final = "envwright.link"

CAUSE: Final = "cause"
EARLIER_TRY: Final = "earlier try"

INHERITED: Final = (
    *(ROLE, WORK_ID, RUN_ID, PACKAGE_ID, ATTEMPT_ID, CONVERSATION_ID),
    *(CLAIM_TOKEN, CLAIM_TRY),
)
"""What the spans inside a handler's span repeat, so that each can be found alone."""
