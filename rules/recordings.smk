# Needs: the materials folder. Makes: transcripts and their segments, one shard a chapter of a kind,
# and their scores. Which recordings there are is told by names alone.

# Kind to chapter to its sections whose recordings are transcribed.
CHAPTERS = {
    key: recordings_to_transcribe(
        folders_of(key), kind.text_from, kind.language, CONFIG.asr.measure
    )
    for key, kind in KINDS.items()
}
CHAPTER_SHARDS = [
    f"{kind}/{chapter}" for kind, chapters in CHAPTERS.items() for chapter in chapters
]
TRANSCRIPTS = expand(
    "results/materials/transcripts/{shard}.parquet", shard=CHAPTER_SHARDS
)
REFERENCE_FILES = {
    "none": [],
    "reference": [TRANSCRIPT],
    "all": [TRANSCRIPT, TEXT],
}[CONFIG.asr.measure]
# What transcripts are measured against: kind, section, file.
REFERENCES = [
    (kind, folder, name)
    for kind, chapters in CHAPTERS.items()
    for folders in chapters.values()
    for folder in folders
    for name in REFERENCE_FILES
    if name in folder.files
]


wildcard_constraints:
    chapter=one_of({chapter for chapters in CHAPTERS.values() for chapter in chapters}),


def text_shards(kind, stage):
    """Return the shards of transcripts, or of segments, that give sections of a kind their texts."""
    settings = KINDS[kind]
    chapters = shards_with_texts(
        folders_of(kind), settings.text_from, settings.language
    )
    return [
        f"results/materials/{stage}/{kind}/{chapter}.parquet" for chapter in chapters
    ]


rule transcribe_recordings:
    """Transcribe the recordings of a chapter with one speech model; none that is finished again."""
    input:
        recordings=lambda wildcards: [
            str(folder.files[recording_of(folder.files)])
            for folder in CHAPTERS[wildcards.kind][wildcards.chapter]
        ],
        code=code_of("transcribe_recordings.py"),
    output:
        transcripts="results/materials/transcripts/{kind}/{chapter}.parquet",
        segments="results/materials/segments/{kind}/{chapter}.parquet",
        findings="results/validation/findings/recordings/{kind}/{chapter}.parquet",
        timings="timings/recordings/{kind}/{chapter}.tsv",
    log:
        "logs/transcribe_recordings/{kind}/{chapter}.log",
    benchmark:
        "benchmarks/transcribe_recordings/{kind}/{chapter}.tsv"
    conda:
        "../envs/speech.yaml"
    threads: CONFIG.asr.threads
    resources:
        heavy=1,
        mem_mb=2000,
    params:
        sections=lambda wildcards: [
            folder.section_id for folder in CHAPTERS[wildcards.kind][wildcards.chapter]
        ],
        language=lambda wildcards: KINDS[wildcards.kind].language,
        asr=CONFIG.asr.model_dump(exclude={"measure"}),
        seed=CONFIG.seed,
        journal="journals/asr/{kind}/{chapter}",
    script:
        "../scripts/transcribe_recordings.py"


rule score_transcripts:
    """Score transcripts by word and character error rate against what was said."""
    input:
        transcripts=TRANSCRIPTS,
        references=[str(folder.files[name]) for _, folder, name in REFERENCES],
        code=code_of("score_transcripts.py"),
    output:
        scores="results/scores/asr.parquet",
    log:
        "logs/score_transcripts.log",
    params:
        references=[
            [folder.section_id, KINDS[kind].language] for kind, folder, _ in REFERENCES
        ],
    script:
        "../scripts/score_transcripts.py"


rule show_timings:
    """Show how long transcribing took, beside the results, since times differ between runs."""
    input:
        timings=expand("timings/recordings/{shard}.tsv", shard=CHAPTER_SHARDS),
        code=code_of("show_timings.py"),
    output:
        page="timings/recordings.html",
    log:
        "logs/show_timings.log",
    params:
        names=CHAPTER_SHARDS,
    script:
        "../scripts/show_timings.py"
