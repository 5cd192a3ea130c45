"""The public names of each package. Removing or renaming one breaks its users: do it on purpose."""

from importlib import import_module

import pytest

PUBLIC = {
    "envwright.events": """
        FACTS GENESIS PAYLOAD_LIMIT ROLES UPCASTERS WRITERS AnyFact Envelope Fact Json NewEvent
        chain_hash content_seed decode derive_id digest digest_bytes encode equal fact_data
        header_bytes mint_run_id normalise payload_reference reference_payload roles_for scope_of
        utc_now uuid7 verify_hashes work_id work_topic
    """,
    "envwright.events.catalog": """
        FACTS AnyFact AttemptFinished AttemptRequested AttemptStarted BriefPlanned DatasetExported
        DeliveryParked EffectClass EffectCompleted EffectRequested EffectResolved Fact
        GateEvaluated OperatorApplied PackageAbandoned PackageAdmitted PackageCandidate
        PackageDrafted PackageInherited PackageRejected PackageRetired PackageRevised
        RepairRequested ReviewCompleted RoundOpened RoundSettled RunCompleted RunFailed RunForked
        RunPaused RunRequested RunResumed RunStarted SourceIngested SourceProfiled StreamKind
        TestingCompleted TrialClosed TrialOpened TurnTaken VerdictReached WorkClaimed WorkExpired
    """,
    "envwright.events.kafka": """
        DeadLetter Hearing KafkaAddress KafkaBus KafkaPublisher KafkaSubscription TopicSettings
        ensure_topics read_dead_letters
    """,
    "envwright.events.ports": """
        Append ArtifactStore Bus Claim Commit Committed CursorMove Delivery EffectCall Fence
        Following InboxEntry Journal LeaseState Leases Log Message Parked ProjectionState
        ProjectionWrite Published Publisher ReadModels RecordedWork Session Subscription Work
        WorkJournal
    """,
    "envwright.recipes": """
        HELD_OUT RECIPES Blame Disguise Draft Finding Ingested NoTaskError Recipe SlotOutcome
        SlotRequest Source get_recipe
    """,
    "envwright.sandbox.attempts": """
        Attempt Rerun Step Trace open_attempt open_package_world perform replay_calls
        sealed_session task_view
    """,
    "envwright.sandbox.gates": """
        INFRASTRUCTURE MALFORMED_CONTENT Examination Finding Flow Gate GateOutcome Marks Necessity
        cheapest_first default_gate_set gate_registry gate_set_digest gate_spec mark_calls run_gate
        trace_values
    """,
    "envwright.sandbox.isolation": """
        Capabilities Completed Isolation Job Limits ProcessIsolation
    """,
    "envwright.sandbox.packages": """
        CANARY_PREFIX CARRIERS DOCUMENTS MANIFEST_TYPE PROVENANCE AnswerAssertion Assertions
        Blueprint BlueprintFact BoundaryRule Bundle Criterion Document FrameAssertion
        ManifestEntry PackageFile Parent Provenance ProvenanceEvent Solution StateAssertion
        StatePath Visibility canary_of find_canaries package_path package_schemas read_provenance
        safe_path
    """,
    "envwright.sandbox.verifiers": """
        NOTHING Verification VerifiedItem Verifier find frame_digest mentions same verify without
    """,
    "envwright.sandbox.worlds": """
        AbsOf Absence Add AfterOf And Append Argument Assignment CASSETTES CASSETTE_MISS CallResult
        Change
        Circumstances Clock Coalesce Compare Computed ConcatOf Condition Const Constant
        Contains Create Current Delete Each Effect Element Entries EntryOf Every Exists Expr
        Extend Fault FieldOf FilterOf Find FirstOf Footprint Frame Guard If In Insert KeyOf KeysOf
        Kind Kinds Length Let Limits ListOf Lookup MapOf MappingOf Merged Minus Need Negate
        Node Not ObjectOf OfRow Or Ordinal PRIMITIVES Path Plus Primitive Procedure Recorded
        ReplayMismatchError Tape cassette_key tape_digest
        ProcedureStep Program Refusal Remove Require RoundTo RowAfter RowsOf Search SetTo
        SortedOf SumOf TableView Text Times Transaction Update Updated Variable When Without
        World ZipOf describe diff evaluate expressions open_world tables_read tables_written
    """,
    "envwright.store": """
        Database Divergence FolderArtifacts FsspecArtifacts KeptReadModels LogJournal Projection
        Projector READ_MODELS Relay Replayed StoreLeases StoreLog StateReplay Store StoreBus
        open_artifacts open_store
    """,
}


@pytest.mark.parametrize("package", PUBLIC)
def test_the_public_names_are_these(package):
    assert sorted(import_module(package).__all__) == sorted(PUBLIC[package].split())


@pytest.mark.parametrize("package", PUBLIC)
def test_every_public_name_is_there(package):
    module = import_module(package)
    assert not [name for name in module.__all__ if not hasattr(module, name)]
