# Needs: the data sets and judges of the configuration. Makes: texts with a known truth, the answers
# of judges to all pairs, couplings, scores and estimates, one shard a data set; and figures. What a
# language model replied to a judge is kept raw by one rule and read by another.
from sensemaking.config_verifiable import ASKING_ENGINES

DATASETS = {slug(dataset.id): dataset for dataset in CONFIG.verifiable.datasets}
WITH_TEXTS = [key for key, dataset in DATASETS.items() if dataset.has_texts]
# Judges that ask a language model, by data set and judge.
MODEL_JUDGES = {slug(judge.shard): judge for judge in CONFIG.verifiable.asking}
# As plain values, for params.
SHOWN_JUDGES = [judge._asdict() for judge in CONFIG.verifiable.shown_judges()]


def price_of(judge):
    """Return what the language model of a judge costs; None without a price."""
    if judge.engine not in ASKING_ENGINES:
        return None
    price = CONFIG.llm.model_of(judge.language_model).price
    return price and price.model_dump()


JUDGE_SETTINGS = {
    key: [
        {**judge.settings, "price": price_of(judge)}
        for judge in CONFIG.verifiable.judges_of(dataset.id)
    ]
    for key, dataset in DATASETS.items()
}

try:
    # The files of the configuration, by their paths on disk.
    RECORDED_DATA = {
        key: str(
            resolve(dataset.path, BASES, key="verifiable.datasets.path", is_file=True)
        )
        for key, dataset in DATASETS.items()
        if dataset.path is not None
    }
    RECORDED_ANSWERS = {
        key: [
            str(
                resolve(
                    judge.answers, BASES, key="verifiable.judges.answers", is_file=True
                )
            )
            for judge in CONFIG.verifiable.judges_of(dataset.id)
            if judge.engine == "recorded"
        ]
        for key, dataset in DATASETS.items()
    }
except FileNotFoundError as error:
    raise WorkflowError(str(error)) from None

# What the configuration or the manifest calls these files, to the files.
RECORDED_FILES = {
    **{DATASETS[key].path: path for key, path in RECORDED_DATA.items()},
    **{
        settings["answers"]: path
        for key, paths in RECORDED_ANSWERS.items()
        for settings, path in zip(
            [one for one in JUDGE_SETTINGS[key] if one["engine"] == "recorded"],
            paths,
        )
    },
    **{
        f"llm/{Path(path).relative_to(RECORDED_LLM).as_posix()}": path
        for key in MODEL_JUDGES
        for path in recorded_journals("judge", key)
    },
    **{
        f"prompts/judge/{key}.md": prompt_file(
            judge.prompt_name, f"verifiable.judges.prompt of {judge.id!r}"
        )
        for key, judge in MODEL_JUDGES.items()
    },
}


wildcard_constraints:
    dataset=one_of(DATASETS),
    model_judge=one_of(MODEL_JUDGES),


def data_of(judge):
    """Return the path of the texts that a judge reads."""
    return f"results/verifiable/{slug(judge.dataset)}/data.json"


def choices_of_judge(wildcards):
    """Return the param with the model of a judge and how it is asked."""
    return llm_choices(MODEL_JUDGES[wildcards.model_judge].language_model)


def prompt_of_judge(wildcards):
    """Return the path of the prompt of a judge."""
    judge = MODEL_JUDGES[wildcards.model_judge]
    return prompt_file(judge.prompt_name, f"verifiable.judges.prompt of {judge.id!r}")


def is_loaded_by(wildcards):
    """Return whether a judge's job loads the model, which takes all cores."""
    return runs_here(MODEL_JUDGES[wildcards.model_judge].language_model)


rule make_verifiable_data:
    """Make reports and summaries, or take them from a file, and recount them from the texts."""
    input:
        texts=lambda wildcards: [
            RECORDED_DATA[key] for key in RECORDED_DATA if key == wildcards.dataset
        ],
        code=code_of("make_verifiable_data.py"),
    output:
        data="results/verifiable/{dataset}/data.json",
        truth="results/verifiable/{dataset}/truth.parquet",
    log:
        "logs/make_verifiable_data/{dataset}.log",
    wildcard_constraints:
        dataset=one_of(WITH_TEXTS),
    params:
        dataset=lambda wildcards: DATASETS[wildcards.dataset].id,
        seed=lambda wildcards: DATASETS[wildcards.dataset].seed,
        documents=lambda wildcards: DATASETS[wildcards.dataset].documents,
    script:
        "../scripts/make_verifiable_data.py"


rule read_recorded_truth:
    """Read the counts of a data set that comes without texts; any fault in them stops the run."""
    input:
        counts=lambda wildcards: RECORDED_DATA[wildcards.dataset],
        code=code_of("read_recorded_truth.py"),
    output:
        truth="results/verifiable/{dataset}/truth.parquet",
    log:
        "logs/read_recorded_truth/{dataset}.log",
    wildcard_constraints:
        dataset=one_of(key for key in DATASETS if key not in WITH_TEXTS),
    params:
        dataset=lambda wildcards: DATASETS[wildcards.dataset].id,
    script:
        "../scripts/read_recorded_truth.py"


rule ask_judge:
    """Let a judge ask its language model about all pairs in both orders, or all summaries."""
    input:
        data=lambda wildcards: data_of(MODEL_JUDGES[wildcards.model_judge]),
        prompt=prompt_of_judge,
        recorded=lambda wildcards: recorded_journals("judge", wildcards.model_judge),
        code=code_of("ask_judge.py"),
    output:
        raw="results/raw/judge/{model_judge}.parquet",
    log:
        "logs/ask_judge/{model_judge}.log",
    benchmark:
        "benchmarks/ask_judge/{model_judge}.tsv"
    threads: lambda wildcards: workflow.cores if is_loaded_by(wildcards) else 1
    resources:
        local_model=lambda wildcards: int(is_loaded_by(wildcards)),
        llm_endpoint=llm_endpoint(),
    params:
        llm=choices_of_judge,
        journal="journals/judge/{model_judge}.jsonl",
        judge=lambda wildcards: {
            name: getattr(MODEL_JUDGES[wildcards.model_judge], name)
            for name in ("engine", "answer_from")
        },
    script:
        "../scripts/ask_judge.py"


rule judge_pairs:
    """Let all judges of a data set answer both questions about all pairs, in both orders."""
    input:
        truth="results/verifiable/{dataset}/truth.parquet",
        data=lambda wildcards: [
            f"results/verifiable/{key}/data.json"
            for key in WITH_TEXTS
            if key == wildcards.dataset
        ],
        answers=lambda wildcards: RECORDED_ANSWERS[wildcards.dataset],
        raw=lambda wildcards: [
            f"results/raw/judge/{key}.parquet"
            for key, judge in MODEL_JUDGES.items()
            if judge.dataset == DATASETS[wildcards.dataset].id
        ],
        code=code_of("judge_pairs.py"),
    output:
        pairs="results/judgements/pairs/{dataset}.parquet",
        costs="results/judgements/costs/{dataset}.parquet",
        findings="results/validation/findings/judges-{dataset}.parquet",
    log:
        "logs/judge_pairs/{dataset}.log",
    params:
        dataset=lambda wildcards: DATASETS[wildcards.dataset].id,
        judges=lambda wildcards: JUDGE_SETTINGS[wildcards.dataset],
        jury=lambda wildcards: [
            judge.id
            for judge in CONFIG.verifiable.jury_of(DATASETS[wildcards.dataset].id)
        ],
        seed=CONFIG.seed,
    script:
        "../scripts/judge_pairs.py"


rule plan_judges:
    """Print what a live run would send to the language models of judges. Nothing is sent."""
    input:
        data=sorted({data_of(judge) for judge in MODEL_JUDGES.values()}),
        code=code_of("plan_judges.py"),
    log:
        "logs/plan_judges.log",
    params:
        judges=[
            {
                **judge.settings,
                **llm_choices(judge.language_model),
                "dataset": judge.dataset,
                "data": data_of(judge),
                "prompt": prompt_file(
                    judge.prompt_name, f"verifiable.judges.prompt of {judge.id!r}"
                ),
                "journals": [
                    *recorded_journals("judge", key),
                    f"journals/judge/{key}.jsonl",
                ],
            }
            for key, judge in MODEL_JUDGES.items()
        ],
    script:
        "../scripts/plan_judges.py"


rule score_judges:
    """Couple the answers of all judges of a data set, and score them against the truth."""
    input:
        pairs="results/judgements/pairs/{dataset}.parquet",
        truth="results/verifiable/{dataset}/truth.parquet",
        code=code_of("score_judges.py"),
    output:
        strengths="results/couplings/strengths/{dataset}.parquet",
        couplings="results/couplings/figures/{dataset}.parquet",
        scores="results/scores/verifiable/{dataset}.parquet",
        estimates="results/estimates/verifiable/{dataset}.parquet",
    log:
        "logs/score_judges/{dataset}.log",
    params:
        dataset=lambda wildcards: DATASETS[wildcards.dataset].id,
        clip=CONFIG.verifiable.clip,
        prior=CONFIG.verifiable.prior,
        seed=CONFIG.seed,
        draws=CONFIG.intervals.draws,
    script:
        "../scripts/score_judges.py"


rule draw_judges:
    """Draw the judges: tau with intervals, strengths against the truth, and position bias."""
    input:
        estimates=expand(
            "results/estimates/verifiable/{dataset}.parquet", dataset=DATASETS
        ),
        scores=expand("results/scores/verifiable/{dataset}.parquet", dataset=DATASETS),
        strengths=expand(
            "results/couplings/strengths/{dataset}.parquet", dataset=DATASETS
        ),
        truth=expand("results/verifiable/{dataset}/truth.parquet", dataset=DATASETS),
        code=code_of("draw_judges.py"),
    output:
        tau="results/figures/judges_tau.svg",
        strength="results/figures/judges_strength.svg",
        bias="results/figures/judges_bias.svg",
    log:
        "logs/draw_judges.log",
    params:
        judges=SHOWN_JUDGES,
        convention=CONFIG.verifiable.convention,
    script:
        "../scripts/draw_judges.py"
