"""Compares the values of --emit and --variant in Options.td with those in tcc's messages: option-values.py TCC OPTIONS.TD."""
import re
import subprocess
import sys

tcc, table = sys.argv[1], open(sys.argv[2]).read()
wrong = False
for option in ("emit", "variant"):
    row = re.search(rf"^def {option}_EQ .*?>;$", table, re.M | re.S)[0]
    listed = "".join(re.findall(r'"([^"]*)"', re.search(r"Values<(.*?)>,", row, re.S)[1])).split(",")
    message = subprocess.run([tcc, f"--{option}=?", "-c", "a.tt.cpp"], stderr=subprocess.PIPE, text=True).stderr
    taken = re.search(rf"^tcc: error: --{option}: '\?' is not a \w+; it is (?:one of )?(.*)$", message, re.M)[1]
    taken = re.split(r", | or ", taken)
    if sorted(listed) != sorted(taken):
        wrong = True
        print(f"--{option}: Options.td lists {sorted(set(listed) - set(taken))} that tcc does not take, and lacks "
              f"{sorted(set(taken) - set(listed))}")
    if option == "emit":  # the help says what each is; of the variants, it explains the important ones
        text = "".join(re.findall(r'"([^"]*)"', re.search(r"HelpText<(.*)>", row, re.S)[1]))
        for value in listed:
            if not re.search(rf"(?<![\w-]){value}(?![\w-])", text):
                wrong = True
                print(f"--emit: the help does not mention {value}")
sys.exit(wrong)
